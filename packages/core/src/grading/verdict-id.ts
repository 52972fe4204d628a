import { createHash } from 'node:crypto';
import { canonicalJson } from '@seamtrace/contracts';
import type { GradedHandoff } from './types.js';

/**
 * Identity of a verdict event: 32 hex digits of SHA-256 over everything the verdict says and the digest of the contract
 * file. Revision, timestamps and exemplar ids are left out, so that a second delivery is the same event
 * (wire contract, section 8).
 */
export function verdictId(graded: GradedHandoff, contractsDigest: string | undefined): string {
  // A grade is plain JSON, so the canonical form is never missing.
  const content = canonicalJson({ ...graded, contracts_digest: contractsDigest ?? null }) ?? '';
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}
