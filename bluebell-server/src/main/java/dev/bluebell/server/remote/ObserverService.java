package dev.bluebell.server.remote;

import dev.bluebell.server.Client;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.Quota;
import dev.bluebell.server.QuotaExceeded;
import dev.bluebell.server.Threads;
import dev.bluebell.server.remote.Message.Reply;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The service for observers of clients. Passes other connections at the same socket to another
 * service. Thread-safe.
 */
public final class ObserverService implements DeviceServer.Service {
  private final Observers observers;
  private final DeviceServer.Service others;

  public ObserverService(Observers observers, DeviceServer.Service others) {
    this.observers = observers;
    this.others = others;
  }

  @Override
  public void serve(Client client) throws IOException {
    if (Message.beginsWith(Message.OBSERVE, client.connection())) {
      try (Arena arena = Arena.ofConfined()) {
        observe(client, arena.allocate(Message.MAX_BYTES));
      }
    } else if (Message.beginsWith(Message.LIST, client.connection())) {
      new Replies(client.connection()).send(Message.done().put(observers.queues()));
    } else {
      others.serve(client);
    }
  }

  @Override
  public Quota quota(LocalSocket connection) {
    return others.quota(connection);
  }

  @Override
  public void refuse(LocalSocket connection, QuotaExceeded why) throws IOException {
    if (Message.beginsWith(Message.OBSERVE, connection)
        || Message.beginsWith(Message.LIST, connection)) {
      new Replies(connection).refused(why);
    } else {
      others.refuse(connection, why);
    }
  }

  /** Sends explanations until the observer requests the flight record or hangs up. */
  private void observe(Client client, MemorySegment message) throws IOException {
    LocalSocket connection = client.connection();
    int bytes = connection.next(message);
    Observed observed = observers.open(traces(Message.received(message, bytes)));
    Replies replies = new Replies(connection);
    try {
      Thread sender = client.start("bluebell-observer", () -> report(observed, replies));
      boolean asks = false;
      try {
        asks = connection.next(message) > 0;
      } finally {
        stop(connection, sender, asks);
      }
      if (asks) {
        observers.awaitLeft(observed);
        for (Explanation explanation : observed.rest()) {
          replies.send(event(explanation));
        }
        replies.send(
            Message.done().putHappenings(observers.happenings(observed)).put(observed.left()));
      }
    } catch (QuotaExceeded exceeded) {
      replies.refused(exceeded);
    } finally {
      observers.close(observed);
    }
  }

  /** Whether the first message asks for traces; false if it lacks the field. */
  private static boolean traces(Message first) {
    try {
      long unused = first.takeLong();
      return first.takeInt() == Message.VERSION && first.takeInt() != 0;
    } catch (Message.Malformed e) {
      return false;
    }
  }

  private static Message event(Explanation explanation) {
    return explanation.put(Message.of(Reply.EVENT));
  }

  private static void report(Observed observed, Replies replies) {
    try {
      replies.send(Message.done().put(observed.token()));
      while (true) {
        replies.send(event(observed.next()));
      }
    } catch (InterruptedException | IOException e) {
      // The observer gets no more explanations; its clients continue.
    }
  }

  private static void stop(LocalSocket connection, Thread sender, boolean alive) {
    if (!alive) {
      // It may wait for an observer that does not read.
      connection.shutdown();
    }
    sender.interrupt();
    Threads.join(sender);
  }
}
