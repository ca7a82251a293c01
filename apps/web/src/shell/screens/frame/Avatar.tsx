import { useValue } from '@legendapp/state/react'
import { useState } from 'react'
import { session } from '../../../base/state/stores.ts'
import { avatar } from '../../../ui/drawings/Drawings.css.ts'

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

/** 32 bits of FNV-1a: the same name always has the same picture. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0)!, 0x01000193)
  return value >>> 0
}

const cells = 5
const hues = ['var(--c1)', 'var(--c2)', 'var(--c3)', 'var(--c4)']

export function Identicon({ name, size = 24 }: { name: string; size?: 24 | 32 }) {
  const bits = hash(name)
  const on = [...Array(cells * 3).keys()].filter((cell) => (bits >>> cell) & 1)
  const places = on.flatMap((cell) => {
    const [x, y] = [cell % 3, Math.floor(cell / 3)]
    return x === 2
      ? [[x, y]]
      : [
          [x, y],
          [cells - 1 - x, y],
        ]
  })
  return (
    <svg className={avatar} width={size} height={size} viewBox="-1 -1 7 7" aria-hidden="true">
      <path fill={hues[bits >>> 30]} d={places.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('')} />
    </svg>
  )
}
