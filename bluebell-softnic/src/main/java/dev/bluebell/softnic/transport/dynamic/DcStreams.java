package dev.bluebell.softnic.transport.dynamic;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.RequesterHalf;
import dev.bluebell.softnic.transport.operation.CqReports;
import dev.bluebell.softnic.transport.operation.LocalOperations;
import dev.bluebell.softnic.transport.operation.Outstanding;
import dev.bluebell.softnic.transport.operation.SendRequests;
import dev.bluebell.softnic.transport.operation.SendSide;
import dev.bluebell.softnic.transport.reliable.Peers;
import dev.bluebell.softnic.transport.reliable.RcRequester;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requester of a dynamically connected initiator with streams: dispatches each WQE, in the
 * order of the ring, to the stream that it names. Each stream has its own target, PSNs and retries,
 * keeps its own order and fails alone. When too many streams have failed, the initiator fails.
 * Owned by the thread that runs the engine.
 */
public final class DcStreams implements RequesterHalf {
  /** Limits of one turn, for WQEs and streams, so that one queue cannot starve the others. */
  private static final int DISPATCHED_PER_TURN = 32;

  private static final int STREAMS_PER_TURN = 4;

  private final Chip chip;
  private final QpIdentity self;
  private final Fabric fabric;
  private final Peers peers;
  private final Work work;
  private final Lifecycle life;
  private final SendSide sends;
  private final SendQueue sendQueue;
  private final CompletionQueue queue;
  private final StreamWindow window;

  // A WQE that can't be fetched, and so belongs to no stream.
  private final Outstanding unfetched = new Outstanding();
  private final Fault fault = new Fault();
  private final SendRequests requests;

  // By number; null for those that were never used.
  private final @Nullable Stream[] streams;
  private final List<Stream> used = new ArrayList<>();
  private final int mostErrored;
  private int errored;
  private int next;

  // A response came since acknowledged requests were completed.
  private boolean answered;

  // Attributes from the transitions, for streams that are used later.
  private final View qpc;
  private int timeoutCode;
  private boolean copies;

  /** One stream. */
  private final class Stream {
    final int number;
    final StreamLane lane;
    final Connection connection;
    final Lifecycle life;
    final RcRequester requester;
    boolean failed;

    Stream(int number) {
      this.number = number;
      lane = new StreamLane(sendQueue, window, number);
      connection = new Connection(self, fabric, work, chip.counters());
      life = new Lifecycle(chip, self, work, this);
      End end = new End(chip, self, life, connection);
      requester =
          new RcRequester(
              end,
              new Dialer(connection, peers, number),
              new SendSide(
                  sendQueue, lane, queue, new CqReports(self, life, queue), sends.injected()),
              new LocalOperations(end, queue, null),
              null,
              null);
    }

    void start() {
      failed = false;
      lane.reset();
      requester.reset();
      connection.configure(qpc);
      requester.start(qpc, timeoutCode);
      requester.configure(qpc);
      requester.allowCopies(copies);
      life.enter(QpState.RST);
      life.enter(QpState.RTS);
    }

    int flush(String cause) {
      requester.flushOutstanding(cause);
      return requester.flushPosted(cause, Integer.MAX_VALUE);
    }

    @Override
    public String toString() {
      return "stream %d of %s".formatted(number, self.name());
    }
  }

  /**
   * @param work gets turns for the initiator
   * @param qpc the context, not copied, with the number of streams and of those that may fail
   */
  public DcStreams(End end, Fabric fabric, Peers peers, Work work, View qpc, SendSide sends) {
    chip = end.chip();
    self = end.self();
    life = end.life();
    this.fabric = fabric;
    this.peers = peers;
    this.work = work;
    this.qpc = qpc;
    this.sends = sends;
    sendQueue = sends.queue();
    queue = sends.completions();
    window = new StreamWindow(sendQueue);
    requests = new SendRequests(end, sends, unfetched);
    streams = new Stream[1 << qpc.getInt(Qpc.LOG_NUM_DCI_STREAM_CHANNELS)];
    mostErrored = 1 << qpc.getInt(Qpc.LOG_NUM_DCI_ERRORED_STREAMS);
  }

  // ---- states

  @Override
  public int nextPsn() {
    return qpc.getInt(Qpc.NEXT_SEND_PSN);
  }

  @Override
  public void reset() {
    unfetched.clear();
    fault.clear();
    for (Stream stream : used) {
      stream.lane.reset();
      stream.requester.reset();
    }
    errored = 0;
    answered = false;
    window.reset();
  }

  @Override
  public void start(View given, int code) {
    timeoutCode = code;
    window.reset();
    used.forEach(Stream::start);
  }

  // This is set before the state in which streams begin.
  @Override
  public void allowCopies(boolean mmo) {
    copies = mmo;
  }

  @Override
  public void configure(View given) {
    for (Stream stream : used) {
      stream.connection.configure(qpc);
      stream.requester.configure(qpc);
    }
  }

  /** Number of the stream that an id names, modulo the number of streams in the context. */
  private int numberOf(int id) {
    return id & streams.length - 1;
  }

  private Stream stream(int id) {
    int number = numberOf(id);
    Stream found = streams[number];
    if (found == null) {
      found = new Stream(number);
      streams[number] = found;
      used.add(found);
      found.start();
    }
    return found;
  }

  @Override
  public String resetStream(QpIdentity initiator, int id) {
    Stream stream = streams[numberOf(id)];
    if (stream == null || !stream.failed) {
      return "stream %d (dci_stream_channel_id) of %s did not fail".formatted(id, self.name());
    }
    // Requests that were dispatched since its last turn.
    int unused = stream.flush(stream.life.cause());
    stream.start();
    errored--;
    return "";
  }

  // ---- turns

  @Override
  public int work() {
    int done = complete() + dispatch();
    int moved = 0;
    int looks = used.size();
    for (int i = 0; i < looks && moved < STREAMS_PER_TURN && life.isReadyToSend(); i++) {
      next = next + 1 >= looks ? 0 : next + 1;
      Stream stream = used.get(next);
      int worked =
          stream.failed
              ? stream.requester.flushPosted(stream.life.cause(), Integer.MAX_VALUE)
              : stream.requester.work();
      done += worked;
      moved += worked > 0 ? 1 : 0;
      done += settle(stream) ? 1 : 0;
    }
    if (fault.isSet() && window.isEmpty() && life.isReadyToSend()) {
      unfetched.next().decodeUnfetched(sendQueue.nextIndex());
      unfetched.push(0, 0);
      requests.fail(fault);
      done++;
    }
    return done;
  }

  /**
   * Completes acknowledged requests in the order of the ring, whichever stream was answered first,
   * and returns their number. libmlx5 takes all slots up to that of the last completion as free, so
   * each step back would make it see a shorter queue.
   */
  private int complete() {
    int done = 0;
    if (answered) {
      answered = false;
      int end = sendQueue.nextIndex();
      for (int index = window.oldest(); index != end; index = window.after(index)) {
        Stream stream = streams[window.stream(index)];
        done += stream != null && stream.requester.retire(index) ? 1 : 0;
      }
    }
    return done;
  }

  /**
   * Dispatches WQEs to their streams and starts each at once, so that requests that need not wait
   * complete roughly in the order of the ring; returns how much was done.
   */
  private int dispatch() {
    int done = 0;
    while (!fault.isSet() && done < DISPATCHED_PER_TURN && life.isReadyToSend()) {
      int index = sendQueue.nextIndex();
      if (sendQueue.fetch(fault) != SendQueue.Fetch.WQE) {
        break;
      }
      long second = Memory.getLong(sendQueue.snapshot(index) + Long.BYTES);
      Stream stream = stream(ControlSegment.stream(second));
      stream.lane.add(index);
      done++;
      if (!stream.failed) {
        done += stream.requester.work();
        done += settle(stream) ? 1 : 0;
      }
    }
    return done;
  }

  /** Handles the failure of a stream; true when it failed. */
  private boolean settle(Stream stream) {
    if (!stream.life.takeFlush()) {
      return false;
    }
    stream.failed = true;
    errored++;
    int unused = stream.flush(stream.life.cause());
    if (queue.isOverrun()) {
      life.fail("its send CQ 0x%x is overrun".formatted(queue.number()));
    } else if (errored >= mostErrored) {
      life.fail(
          "%d of its streams failed, and it continues only with fewer than %d (log_num_dci_errored_streams %d); %s"
              .formatted(
                  errored,
                  mostErrored,
                  qpc.getInt(Qpc.LOG_NUM_DCI_ERRORED_STREAMS),
                  stream.life.cause()));
    }
    return true;
  }

  @Override
  public void receive(Packet response) {
    Stream stream = streams[numberOf(response.stream)];
    if (stream != null && life.isReadyToSend()) {
      boolean unused = stream.requester.accept(response);
      answered = true;
      life.wake();
    }
  }

  @Override
  public long deadline() {
    long earliest = Long.MAX_VALUE;
    for (int i = 0; i < used.size(); i++) {
      Stream stream = used.get(i);
      if (!stream.failed) {
        earliest = Math.min(earliest, stream.requester.deadline());
      }
    }
    return earliest;
  }

  @Override
  public void onTimer() {
    long now = chip.time().now();
    for (int i = 0; i < used.size(); i++) {
      Stream stream = used.get(i);
      if (!stream.failed && stream.requester.deadline() <= now) {
        stream.requester.onTimer();
      }
    }
  }

  @Override
  public void noteDrop(int id, String why) {
    Stream stream = streams[numberOf(id)];
    if (stream != null) {
      stream.requester.noteDrop(id, why);
    }
  }

  // ---- flushing

  @Override
  public void flushOutstanding(String cause) {
    int unused = complete();
    for (Stream stream : used) {
      unused = stream.flush(cause);
    }
    fault.clear();
    unfetched.clear();
  }

  @Override
  public int flushPosted(String cause, int most) {
    int done = requests.flushPosted(cause, most);
    window.reset();
    return done;
  }

  @Override
  public String peer() {
    return "%d streams, %d of them failed".formatted(streams.length, errored);
  }
}
