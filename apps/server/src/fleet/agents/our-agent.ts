import type { Host } from '@qd/core/schemas'

/** Whether a host runs an agent of ours, which knows the tasks of docs/agent-extensions.md. */
export const isOurs = ({ version = '' }: Pick<Host, 'version'>): boolean => version.includes('+qd.')
