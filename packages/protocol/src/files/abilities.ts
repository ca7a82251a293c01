/**
 * What a server announces besides list, download and upload when it opens a file session. `details`: size, time and mode of what is in a
 * folder; `read`: a part of a file; `delete`; `checksum`; `folders`: make a folder; `rename`; `resume`: both transfers go on where they broke
 * off, and an upload replaces a file in one step. Source: docs/files.md.
 */
export const fileAbilities = ['details', 'read', 'delete', 'checksum', 'folders', 'rename', 'resume'] as const

/** One of them. */
export type FileAbility = (typeof fileAbilities)[number]

/** The websocket subprotocol by which a client of ours asks for close codes on `/ws/file/{id}`. Source: docs/files.md. */
export const fileProtocol = 'quarterdeck.file.v1'
