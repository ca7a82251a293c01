export * from './clock.ts'
export * from './read.ts'
