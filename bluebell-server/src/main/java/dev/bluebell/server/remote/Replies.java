package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.server.remote.Message.Reply;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

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

  synchronized void send(Message answer) throws IOException {
    answer.send(socket, out, -1);
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
    send(Message.of(Reply.DONE));
  }

  void refused(HcaException refusal) throws IOException {
    send(Message.of(Reply.REFUSED).put(refusal.output()).put(String.valueOf(refusal.getMessage())));
  }

  void illegal(String message) throws IOException {
    send(Message.of(Reply.ILLEGAL).put(message));
  }

  /** Sends lines of text in one or more messages. */
  void lines(List<String> lines) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(all);
    data.writeInt(lines.size());
    for (String line : lines) {
      write(data, line);
    }
    parts(all.toByteArray());
  }

  /** Sends entries of the flight record in one or more messages. */
  void happenings(List<HcaHappening> happenings) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(all);
    data.writeInt(happenings.size());
    for (HcaHappening happening : happenings) {
      data.writeLong(happening.nanos());
      data.writeInt(happening.kind());
      data.writeInt(happening.number());
      data.writeInt(happening.index());
      data.writeInt(happening.detail());
      write(data, Objects.requireNonNullElse(happening.text(), ""));
    }
    parts(all.toByteArray());
  }

  private static void write(DataOutputStream data, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    data.writeInt(bytes.length);
    data.write(bytes);
  }

  private void parts(byte[] whole) throws IOException {
    int from = 0;
    while (whole.length - from > Message.PART_BYTES) {
      send(Message.of(Reply.PART).putRest(whole, from, Message.PART_BYTES));
      from += Message.PART_BYTES;
    }
    send(Message.of(Reply.DONE).putRest(whole, from, whole.length - from));
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
