export { type CarryOutOptions, carryOut, planJson, type Result, withNewNames } from './carry-out.ts'
export { type DocumentProblem, type Fault, firstNew, namedEntities, type Source } from './entries.ts'
export { type LeftOut, type LeftReason, type Migration, planMigration } from './migrate.ts'
export { type Change, type Plan, planDocument, type Step } from './plan.ts'
export {
  configuration,
  documentFields,
  isConfiguration,
  type ReadState,
  readState,
  type State,
  type Stored,
  withNamed,
} from './state.ts'
export { type Document, writeDocument } from './write.ts'
