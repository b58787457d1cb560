import Database from 'better-sqlite3'

/** Opens a file as the server does, and passes on each statement that is sent to it. */
export const verboseConnection = (tell: (statement: string) => void) => (path: string) => {
  const connection = new Database(path, { verbose: (statement) => tell(String(statement)) })
  connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  return connection
}
