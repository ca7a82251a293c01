/** Why our agents refuse a task: code and final text. Source: docs/reference/agent-extensions.md. */
export const refusals = {
  watchOnly: 'this agent is watch-only (watch_only on the host)',
  commandsDisabled: 'commands are disabled on this host (disable_command_execute)',
  updatesDisabled: 'updates are disabled on this host (disable_force_update)',
  transferPending: 'another transfer of this server is being applied; try again in a minute',
} as const

export type RefusalCode = keyof typeof refusals

/** The texts of Nezha’s agents, some in Chinese. Source: agent contract 3.2, 3.8, 3.10, 11. */
const nezhaTexts: readonly (readonly [RegExp, RefusalCode])[] = [
  [/^\u6b64 Agent \u5df2\u7981\u6b62\u547d\u4ee4\u6267\u884c/, 'commandsDisabled'],
  [/^FsTransfer \u88ab agent DisableCommandExecute \u62d2\u7edd$/, 'commandsDisabled'],
  [/^agent disabled (command execution|file operations)$/, 'commandsDisabled'],
  [/^\u53e6\u4e00\u6761 server transfer .*\(transfer reload in progress\)$/, 'transferPending'],
]

/** The code of a refusal’s text, from our agents or Nezha’s; undefined for any other text. */
export const parseRefusal = (text: string): RefusalCode | undefined => {
  const said = text.trim()
  const ours = Object.entries(refusals).find(([, known]) => known === said)?.[0] as RefusalCode | undefined
  return ours ?? nezhaTexts.find(([known]) => known.test(said))?.[1]
}

/** Translates a refusal into our agents’ English; leaves any other text as it is. */
export const inEnglish = (text: string): string => {
  const code = parseRefusal(text)
  return code ? refusals[code] : text
}

/** What Nezha’s agents put before the output of a command that took longer than two hours. Source: agent contract 3.5. */
const nezhaTimeLimit = '\u4efb\u52a1\u6267\u884c\u8d85\u65f6\n'
const ownTimeLimit = /^timed out after \d+ s\n/

export const toTimeLimitLine = (ms: number): string => `timed out after ${Math.round(ms / 1000)} s\n`

/** The output without the line that reports the agent’s own time limit; undefined if there is none. */
export const withoutTimeLimit = (output: string): string | undefined => {
  if (output.startsWith(nezhaTimeLimit)) return output.slice(nezhaTimeLimit.length)
  const [line] = ownTimeLimit.exec(output) ?? []
  return line === undefined ? undefined : output.slice(line.length)
}
