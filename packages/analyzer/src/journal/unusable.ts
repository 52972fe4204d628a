/**
 * Why a journal cannot be opened or read: another process has it, the directory cannot be written, there is no space,
 * a newer version wrote it, it is damaged, or the database library does not run here.
 */
export type UnusableReason = 'locked' | 'unwritable' | 'full' | 'newer' | 'corrupt' | 'failed';

/** The journal as it is cannot be used, and starting without it would lose what it holds. Says what to do. */
export class JournalUnusable extends Error {
  override readonly name = 'JournalUnusable';
  readonly reason: UnusableReason;

  constructor(reason: UnusableReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
