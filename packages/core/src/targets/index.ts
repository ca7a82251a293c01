export * from './describe.ts'
export * from './resolve.ts'
