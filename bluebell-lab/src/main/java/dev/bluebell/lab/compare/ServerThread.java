package dev.bluebell.lab.compare;

import dev.bluebell.program.install.Idling;
import dev.bluebell.server.Threads;
import java.util.List;

/** A thread on which servers poll until it is closed. */
final class ServerThread implements AutoCloseable {
  private final List<Server> servers;
  private final Thread thread;
  private volatile boolean polls;
  private volatile boolean closed;

  ServerThread(List<Server> servers) {
    this.servers = List.copyOf(servers);
    thread = Thread.ofPlatform().daemon().name("bluebell-two-sided").unstarted(this::run);
  }

  private void run() {
    Idling idling = new Idling();
    while (!closed) {
      boolean any = false;
      for (Server server : servers) {
        any |= server.poll();
      }
      if (any) {
        idling.busy();
      } else {
        idling.idle();
      }
      polls = true;
    }
  }

  /** Starts the thread; returns when the server polls. */
  void start() {
    thread.start();
    Idling idling = new Idling();
    while (!polls && thread.isAlive()) {
      idling.idle();
    }
  }

  @Override
  public void close() {
    closed = true;
    Threads.join(thread);
  }
}
