import type { Context } from '@opentelemetry/api';
import type { Task } from './task.js';

// OpenTelemetry's context keys are plain symbols; registered ones are the same in every copy of this package.
const TASK_KEY = Symbol.for('seamtrace.instrumentation.v1.task');

/**
 * The task that a message began, where no handoff and no run did: one from a sender that is not instrumented has a
 * conversation's id all the same. Runs inside serve it.
 */
export function ambientTask(context: Context): Task | undefined {
  return context.getValue(TASK_KEY) as Task | undefined;
}

/** A context in which runs that know no task of their own serve this one. */
export function withAmbientTask(context: Context, task: Task): Context {
  return context.setValue(TASK_KEY, task);
}
