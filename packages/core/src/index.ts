export { createAssembly } from './assembly/assembly.js';
export type { Arrivals, Assembly, AssemblyOptions, AssemblySizes, KeptFact } from './assembly/types.js';
export { decodeTracesJson } from './decode/json/request.js';
export { type Outline } from './decode/outline.js';
export { decodeTracesProtobuf } from './decode/protobuf/request.js';
export type {
  AttributeValue,
  DecodedLink,
  DecodedResource,
  DecodedScope,
  DecodedSpan,
  DecodeResult,
  SpanRejection,
} from './decode/types.js';
export { packEvidence, packRecord, unpackEvidence, unpackRecord } from './evidence/codec.js';
export { CorruptEvidenceError } from './evidence/codec-tokens.js';
export { agreed, disputed, type Distinct } from './evidence/distinct.js';
export { extractEvidence } from './evidence/extract.js';
export { mergeRecords, recordKey } from './evidence/merge.js';
export {
  type CaptureReason,
  type CompleteCapture,
  type Evidence,
  type ExtractResult,
  type FactName,
  type HandoffRecord,
  type NodeOp,
  type RunEvidence,
  type Side,
  type SideRecord,
  type SpanRef,
  type StageExecution,
  type StageRecord,
  type ToolEvidence,
  type TraceNode,
} from './evidence/types.js';
export { type KeyArrival, keyArrivalOf } from './grading/arrived.js';
export type { GradeContext } from './grading/context.js';
export { THRESHOLD_NAMES, type ThresholdRange, thresholdRange } from './grading/findings/threshold-range.js';
export { DEFAULT_THRESHOLDS, type FindingThresholds } from './grading/findings/types.js';
export { TASK_FINDINGS } from './grading/findings/whole-task.js';
export { gradeRecord } from './grading/grade.js';
export { createLedger, type Ledger, type LedgerOptions } from './grading/ledger.js';
export { foldName } from './evidence/fold-name.js';
export { sameAgent } from './grading/names.js';
export { fact, numericFact, payloadBytes } from './grading/subject.js';
export type { Finding, GradedHandoff, SecondaryGrade } from './grading/types.js';
export { verdictId } from './grading/verdict-id.js';
export { GRADER_VERSION } from './grading/version.js';
export { isWhole } from './evidence/whole.js';
export { createRecentSet, type RecentSet } from './reassembly/recent.js';
export { createReassembler } from './reassembly/reassembler.js';
export type { BudgetSpent, RedundantDone, ReplanDecided, TaskFacts } from './tasks/counting.js';
export { hopOf, type HopFact, type TaskHop } from './tasks/hop.js';
export type { TaskPiece } from './tasks/piece.js';
export type { RedundantCalls } from './tasks/replan.js';
export { createTasks } from './tasks/tasks.js';
export type { HopRef, KeptTask, TaskEnd, TaskNews, Tasks, TasksOptions } from './tasks/types.js';
export type { ModelCall, ModelTurn, TaskView } from './tasks/view.js';
export type {
  Drained,
  Due,
  Exit,
  Offered,
  Reassembler,
  ReassemblerOptions,
  ReassemblyContext,
  ReassemblyObserver,
  ReassemblySizes,
  Undecided,
} from './reassembly/types.js';
export { isOutline, packOutline, type TraceInterest } from './topology/outline-codec.js';
export { EVERY_TRACE, resolveAll, type Resolved } from './topology/resolve-all.js';
export { createTopology } from './topology/topology.js';
export type {
  OutlineOffered,
  Topology,
  TopologyObserver,
  TopologyOptions,
  TopologySink,
  TopologySizes,
} from './topology/types.js';
