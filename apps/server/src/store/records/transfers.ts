import { Role, type Viewer } from '@qd/core/define'
import type { MutableRecords } from './records.ts'
import type { Accounts, Records, ServerRow, TransferRow, TransferSecret } from './rows.ts'
import { ownerItem, toInstant } from './wire.ts'

export interface TransferRecords extends MutableRecords<TransferRow> {
  /** 32 letters and digits, derived each time and never stored. */
  secretOf(id: number, kind: TransferSecret): string
  ofServer(serverId: number): readonly TransferRow[]
}

interface Names {
  accounts: Accounts
  servers: Records<ServerRow>
}

export function transferItem({ owner_id, recovered_at: _recovered, ...row }: TransferRow, around: Names) {
  const { last_error, acked_at, created_at, updated_at, ...rest } = row
  const { accounts, servers } = around
  const name = servers.find(row.server_id)?.name
  const from = accounts.ownerOf(row.from_user_id).username
  const to = accounts.ownerOf(row.to_user_id).username
  return {
    ...rest,
    created_at: toInstant(created_at),
    updated_at: toInstant(updated_at),
    initiator_id: owner_id,
    ...(last_error && { last_error }),
    ...(acked_at !== null && { acked_at: toInstant(acked_at) }),
    ...(name && { server_name: name }),
    ...(from && { from_username: from }),
    ...(to && { to_username: to }),
    owner: ownerItem(accounts, owner_id),
  }
}

/** Administrators and participants; a limited token sees only its servers. */
export function seesTransfer(viewer: Viewer, row: TransferRow): boolean {
  if (viewer.id === null || !(viewer.servers?.includes(row.server_id) ?? true)) return false
  return viewer.role === Role.admin || [row.owner_id, row.from_user_id, row.to_user_id].includes(viewer.id)
}
