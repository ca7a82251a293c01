export * from './common.ts'
export * from './host-state.ts'
export * from './schedule.ts'
