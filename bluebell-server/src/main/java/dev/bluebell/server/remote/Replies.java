package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaException;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.server.remote.Message.Reply;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The sending side of a connection to a client: one thread sends answers, another sends events.
 * Thread-safe.
 */
final class Replies {
  private final LocalSocket socket;
  private final MemorySegment out = Arena.ofAuto().allocate(Message.MAX_BYTES);

  Replies(LocalSocket socket) {
    this.socket = socket;
  }

  /** Sends an answer, in parts if it is long. */
  synchronized void send(Message answer) throws IOException {
    answer.sendInParts(socket, out);
  }

  /** Sends an answer with a descriptor of shared memory. */
  synchronized void sendShared(Message answer, SharedMemory memory) throws IOException {
    answer.send(socket, out, memory.fd());
  }

  /** Sends an answer with shared memory, and closes the descriptor of the memory. */
  synchronized void send(Message answer, SharedMemory memory) throws IOException {
    try {
      answer.send(socket, out, memory.fd());
    } finally {
      memory.closeDescriptor();
    }
  }

  void done() throws IOException {
    send(Message.done());
  }

  void refused(HcaException refusal) throws IOException {
    send(Message.of(Reply.REFUSED).put(refusal.output()).put(String.valueOf(refusal.getMessage())));
  }

  void illegal(String message) throws IOException {
    send(Message.of(Reply.ILLEGAL).put(message));
  }

  /** Sends an event; false when the connection is gone. */
  boolean event(int channel, HcaEvent event, long cookie) {
    try {
      send(
          Message.of(Reply.EVENT)
              .put(channel)
              .put(event.type())
              .put(event.number())
              .put(event.syndrome())
              .put(cookie));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
