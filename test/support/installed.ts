import { execFileSync } from 'node:child_process'

/** Path of a program of this machine; undefined where it is not installed. */
export function findProgram(name: string): string | undefined {
  try {
    const PATH = `${process.env['PATH']}:/usr/sbin:/usr/local/sbin`
    return execFileSync('/bin/sh', ['-c', `command -v ${name}`], { env: { PATH }, encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}
