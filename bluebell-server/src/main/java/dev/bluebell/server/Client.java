package dev.bluebell.server;

import java.lang.System.Logger.Level;

/**
 * A connected client, which runs as this process's user.
 *
 * @param connection to it
 * @param process at the other end
 * @param account of its resources
 * @param log for messages about the client
 */
public record Client(
    LocalSocket connection, WatchedProcess process, Account account, LimitedLog log) {

  /**
   * Starts another thread for the client. Anything it throws ends this connection only.
   *
   * @throws QuotaExceeded when the client may not have one more
   */
  public Thread start(String name, Runnable work) throws QuotaExceeded {
    return Threads.start(name, account.take(Quota.THREADS), () -> run(work));
  }

  private void run(Runnable work) {
    try {
      work.run();
    } catch (Throwable defect) {
      connection.shutdown();
      log.log(Level.ERROR, "a thread of a client failed, and the client is disconnected", defect);
    }
  }
}
