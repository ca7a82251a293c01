import { useValue } from '@legendapp/state/react'
import { useState } from 'react'
import { session } from '../../../base/state/stores.ts'
import { avatar } from '../../../ui/drawings/Drawings.css.ts'
import { Identicon } from '../../../ui/drawings/Identicon.tsx'

export function Avatar({ size = 24 }: { size?: 24 | 32 }) {
  const name = useValue(() => String(session.state$.profile.get()?.username ?? ''))
  const url = useValue(() => String(session.state$.profile.get()?.avatar_url ?? ''))
  const [failed, setFailed] = useState('')
  if (url === '' || url === failed) return <Identicon name={name} size={size} />
  return (
    <img
      className={avatar}
      width={size}
      height={size}
      src={url}
      alt=""
      referrerPolicy="no-referrer"
      onError={() => setFailed(url)}
    />
  )
}
