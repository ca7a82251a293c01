import { isCommand } from '../actions/index.ts'
import { allowed, type Viewer } from '../define/index.ts'
import type { Translator } from '../i18n/index.ts'
import { resources } from '../resources/index.ts'
import { actionTool } from './action-tools.ts'
import { recordTools } from './record-tools.ts'
import { contractTools } from './server-tools.ts'
import type { Tool } from './tool.ts'

/**
 * Every tool: those of the contract, then of each entity what can be done with its records and every action of it. What only a person who
 * signed in may do (API tokens, sessions, providers, the own account) and what opens a screen is none.
 */
export function allTools(translator: Translator): readonly Tool[] {
  const made = resources
    .filter(({ needsSession }) => !needsSession)
    .flatMap((resource) => [
      ...recordTools(resource, translator),
      ...Object.values(resource.actions)
        .filter((action) => action.name === 'delete' || (isCommand(action) && !action.onScreen))
        .map((action) => actionTool(resource, action, translator)),
    ])
  const names = new Set(contractTools.map(({ name }) => name))
  return [...contractTools, ...made.filter(({ name }) => !names.has(name))]
}

/** The tools that are listed for somebody: all of the contract, and of the others those that they may use. */
export function toolsFor(viewer: Viewer, tools: readonly Tool[]): readonly Tool[] {
  return tools.filter((tool) => contractTools.includes(tool) || allowed(viewer, tool))
}
