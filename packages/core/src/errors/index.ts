export * from './agent-error.ts'
export * from './app-error.ts'
export * from './checked.ts'
