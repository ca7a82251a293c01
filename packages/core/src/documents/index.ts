export { type CarryOutOptions, carryOut, type Result } from './carry-out.ts'
export { type DocumentProblem, type Fault, firstNew, namedEntities, type Source } from './entries.ts'
export { type LeftOut, type LeftReason, type Migration, planMigration } from './migrate.ts'
export { type Change, type Plan, planDocument, type Step } from './plan.ts'
export { planJson, withNewNames } from './plan-json.ts'
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
