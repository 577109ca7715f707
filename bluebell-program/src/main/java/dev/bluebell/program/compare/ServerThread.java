package dev.bluebell.program.compare;

/** Lets a server poll on a thread of its own until it is closed. */
final class ServerThread implements AutoCloseable {
  private final Server server;
  private final Thread thread;
  private volatile boolean polls;
  private volatile boolean closed;

  ServerThread(Server server) {
    this.server = server;
    thread = Thread.ofPlatform().daemon().name("bluebell-two-sided").unstarted(this::run);
  }

  private void run() {
    while (!closed) {
      if (!server.poll()) {
        Thread.onSpinWait();
      }
      polls = true;
    }
  }

  /** Returns when the server polls. */
  void start() {
    thread.start();
    while (!polls && thread.isAlive()) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
