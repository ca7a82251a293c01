export * from './agent-error.ts'
export * from './app-error.ts'
export * from './defined.ts'
export * from './json.ts'
