export * from './catalog.ts'
export * from './mcp.ts'
export type { Tool, ToolCaller } from './tool.ts'
