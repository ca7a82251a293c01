/** A recorded step that is not sent. */
export interface Skip {
  file: string
  /** The step's name, or a pattern for several. */
  step: string | RegExp
  why: string
}

/** A recorded step that ours answers differently on purpose, and how. */
export interface Difference {
  file: string
  step: string
  why: string
  status?: number
  /** Ours refuses with this text. */
  error?: string | RegExp
  /** Ours accepts. */
  success?: true
  /** Where else ours deviates from the recording: paths as the comparison names them. */
  at?: readonly RegExp[]
  /** Sent afterwards in place of the refused body, so that later steps find the recorded state. */
  instead?: unknown
  /** What ours created is deleted again, for the same reason. */
  undo?: 'notification-group' | 'server-group' | 'service'
}
