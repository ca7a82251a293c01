export {
  type Activities,
  type Activity,
  type ActivityEntry,
  activityOf,
  createActivities,
  type SaveOrder,
  savingOf,
  takingBackOf,
} from './activities.ts'
export type { ListState } from './collection.ts'
export * from './form-check.ts'
export * from './host-target.ts'
export * from './list-pages.ts'
export * from './live.ts'
export * from './needs.ts'
export * from './records.ts'
export * from './remembered.ts'
export { createRunWatch } from './run-watch.ts'
export * from './runner.ts'
export * from './session.ts'
export { trendMs } from './trends.ts'
export * from './view.ts'
export * from './waiting.ts'
