/** Error texts of agents that could not probe at all, ours and existing ones (agent contract 3.1). They say nothing about the service. */
const reasons: readonly RegExp[] = [
  /^ping is not installed/i,
  /^This server has disabled query sending/i,
  // An existing agent without the right to raw sockets.
  /icmp.*socket: (operation not permitted|permission denied)/i,
]

/** True if a reporter says that it cannot probe. That is not a result (issue 12.10). */
export const isUnable = ({ ok, data }: { ok: boolean; data: string }): boolean =>
  !ok && reasons.some((reason) => reason.test(data))
