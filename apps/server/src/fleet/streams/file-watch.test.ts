import {
  toAnswerFrame,
  toDownloadRequest,
  toFileError,
  toMoreRequest,
  toUploadRequest,
  uploadedFrame,
} from '@qd/protocol/files'
import { expect, test } from 'vitest'
import { type Uploaded, watchFiles } from './file-watch.ts'

function watched() {
  const notes: string[] = []
  const outcomes: Uploaded[] = []
  const watch = watchFiles({
    note: (action, path) => void notes.push(`${action} ${path}`),
    uploaded: (outcome) => void outcomes.push(outcome),
  })
  return { ...watch, notes, outcomes }
}
const request = (length: number) => toDownloadRequest('/etc/shadow'.padEnd(length - 1, 'x'))

test('an upload to an existing agent ends with its mark; its data is no request, however it looks', () => {
  const { fromUser, fromAgent, notes, outcomes } = watched()
  fromUser(toUploadRequest('/a', 40))
  fromUser(request(40))
  fromAgent(uploadedFrame)
  fromUser(toUploadRequest('/empty', 0))
  fromAgent(uploadedFrame)
  fromUser(toDownloadRequest('/b'))
  expect(notes).toEqual(['file upload /a', 'file upload /empty', 'file download /b'])
  expect(outcomes).toEqual([
    { path: '/a', sha256: null },
    { path: '/empty', sha256: null },
  ])
})

test('one to an agent of ours goes on at its offset and ends with the checksum', () => {
  const { fromUser, fromAgent, notes, outcomes } = watched()
  fromUser(toMoreRequest({ op: 'upload', path: '/a', size: 100, resume: true }))
  fromAgent(toAnswerFrame({ offset: 60 }))
  fromUser(request(40))
  expect(outcomes).toEqual([])
  fromAgent(toAnswerFrame({ size: 100, sha256: 'ab' }))
  fromUser(toMoreRequest({ op: 'folder', path: '/c' }))
  fromAgent(toAnswerFrame({}))
  expect(notes).toEqual(['file upload /a', 'file folder /c'])
  expect(outcomes).toEqual([{ path: '/a', sha256: 'ab' }])
})

test('a refusal comes in the agent’s words, and what follows is a request again', () => {
  const { fromUser, fromAgent, notes, outcomes } = watched()
  fromUser(toUploadRequest('/a', 1000))
  fromAgent(toFileError('no space left on device'))
  fromUser(toDownloadRequest('/b'))
  expect(notes).toEqual(['file upload /a', 'file download /b'])
  expect(outcomes).toEqual([{ path: '/a', error: 'no space left on device' }])
})
