/** What keeps everything but probes from a server whose own agent says that it is watch-only. */
export const watchOnly = { when: { watch_only: { is: true } }, reason: 'watchOnly' } as const
