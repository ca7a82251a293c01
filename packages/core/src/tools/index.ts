export * from './mcp.ts'
export type { Tool, ToolCaller } from './tool.ts'
