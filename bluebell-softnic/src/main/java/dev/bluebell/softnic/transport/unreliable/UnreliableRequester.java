package dev.bluebell.softnic.transport.unreliable;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.timing.Pace;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.RequesterHalf;
import dev.bluebell.softnic.transport.operation.CrossOperations;
import dev.bluebell.softnic.transport.operation.FetchWatch;
import dev.bluebell.softnic.transport.operation.Outstanding;
import dev.bluebell.softnic.transport.operation.Progress;
import dev.bluebell.softnic.transport.operation.SendRequests;
import dev.bluebell.softnic.transport.operation.SendSide;
import org.jspecify.annotations.Nullable;

/**
 * The requester of an unreliable queue pair, UC or UD depending on its sender: executes one WQE
 * after the other, and completes each once it is sent. Pure logic. Owned by the thread that runs
 * the engine.
 */
public final class UnreliableRequester implements RequesterHalf {
  /** Most messages of one turn, so that one queue cannot starve the others. */
  private static final int MESSAGES_PER_TURN = 64;

  private final DeviceTime time;
  private final Scheduler scheduler;
  private final Effort effort;
  private final Lifecycle life;
  private final Fault fault;
  private final UnreliableSender sender;

  // Holds the request that is being sent, if any.
  private final Outstanding outstanding = new Outstanding();
  private final SendRequests requests;
  private final CrossOperations crossOperations;
  private final @Nullable Adversary adversary;
  private final @Nullable FetchWatch watch;
  private final FlightRecorder recorder;
  private final int number;

  // Null when all requests are sent as packets.
  private final @Nullable UdCutThrough cutThrough;

  private final SendQueue sendQueue;

  // Null without virtual time.
  private final @Nullable Pace pace;

  // True while the current request has more to send.
  private boolean underWay;

  /**
   * @param fault set when the sender can't send
   * @param cutThrough executes simple datagrams without packets; null when all are sent as packets
   * @param pace decides when requests begin, on devices with virtual time; null on others
   */
  public UnreliableRequester(
      End end,
      UnreliableSender sender,
      Fault fault,
      SendSide sends,
      @Nullable UdCutThrough cutThrough,
      @Nullable Pace pace) {
    Chip chip = end.chip();
    QpIdentity self = end.self();
    time = chip.time();
    scheduler = chip.scheduler();
    effort = scheduler.effort();
    life = end.life();
    this.sender = sender;
    this.fault = fault;
    this.cutThrough = cutThrough;
    this.pace = pace;
    sendQueue = sends.queue();
    requests = new SendRequests(end, sends, outstanding);
    crossOperations = new CrossOperations(chip, self, life, sends.completions(), fault);
    adversary = chip.adversary();
    recorder = chip.recorder();
    number = self.number();
    watch = adversary == null ? null : new FetchWatch(chip, number, sendQueue);
  }

  @Override
  public int nextPsn() {
    return sender.nextPsn();
  }

  @Override
  public void reset() {
    outstanding.clear();
    fault.clear();
    crossOperations.reset();
    underWay = false;
    if (pace != null) {
      pace.reset();
    }
    sender.reset();
  }

  @Override
  public void start(View qpc, int timeoutCode) {
    sender.start(qpc);
    crossOperations.start(qpc);
  }

  @Override
  public void configure(View qpc) {
    sender.configure(qpc);
  }

  @Override
  public int work() {
    announce();
    long bytes = scheduler.bytesPerTurn();
    int done = cutThrough(bytes);
    int most = adversary == null ? MESSAGES_PER_TURN : adversary.messages();
    while (done < most && bytes > effort.spent() && life.isReadyToSend()) {
      if (outstanding.isEmpty() && !(isFetched() && admit())) {
        break;
      }
      if (pace != null && !underWay && !pace.mayBegin(opcode(), time.now())) {
        break;
      }
      long moved = send(bytes - effort.spent());
      if (moved == Progress.WAIT) {
        break;
      }
      bytes -= moved;
      done++;
    }
    if (pace != null && pace.deadline() != Long.MAX_VALUE) {
      life.schedule();
    }
    return done;
  }

  private void announce() {
    if (pace != null) {
      pace.announce(sendQueue.producer(), sendQueue.isRung(), time.now());
    }
  }

  /** Executes datagrams that can cut through, and returns their number. */
  private int cutThrough(long budget) {
    if (cutThrough == null
        || !outstanding.isEmpty()
        || recorder.isTracing(number)
        || sendQueue.isSigned()
        || !life.isReadyToSend()) {
      return 0;
    }
    int done = cutThrough.run(MESSAGES_PER_TURN, budget);
    if (done >= 0) {
      return done;
    }
    requests.failAtOverrun();
    return ~done;
  }

  private boolean isFetched() {
    // The queue may have enabled itself.
    announce();
    return pace == null || pace.isFetched(sendQueue.nextIndex(), time.now());
  }

  private int opcode() {
    return outstanding.wqe(outstanding.head()).opcode();
  }

  /** Fetches the next WQE; false when there is none. */
  private boolean admit() {
    if (!requests.fetch(sender.decoder(), sender.longest(), fault)) {
      return false;
    }
    outstanding.push(0, 0);
    return true;
  }

  /** Executes the current request, or a part of it, and returns the bytes moved. */
  private long send(long budget) {
    SendWqe wqe = outstanding.wqe(outstanding.head());
    if (watch != null && !fault.isSet()) {
      watch.begins(wqe);
    }
    long moved = fault.isSet() ? 0 : execute(wqe, budget);
    if (fault.isSet()) {
      requests.fail(fault);
      return 0;
    }
    if (moved == Progress.WAIT) {
      return moved;
    }
    if (pace != null && !underWay) {
      pace.begin(wqe.opcode(), time.now());
    }
    underWay = !sender.isDone();
    if (!underWay && !requests.complete()) {
      requests.failAtOverrun();
    }
    return moved;
  }

  private long execute(SendWqe wqe, long budget) {
    return switch (wqe.opcode()) {
      case WqeOpcode.NOP -> 0;
      case WqeOpcode.WAIT, WqeOpcode.SEND_EN, WqeOpcode.RECV_EN ->
          crossOperations.execute(wqe, 0, 0, budget);
      default -> sender.send(wqe, budget);
    };
  }

  @Override
  public long deadline() {
    return pace == null
        ? crossOperations.deadline()
        : Math.min(pace.deadline(), crossOperations.deadline());
  }

  @Override
  public void onTimer() {
    if (pace != null) {
      pace.onTimer(time.now());
    }
    crossOperations.onTimer(time.now());
    life.wake();
  }

  @Override
  public String describe() {
    return crossOperations.isWaiting() ? crossOperations.describe() : "";
  }

  @Override
  public void noteDrop(int stream, String why) {
    sender.noteDrop(why);
  }

  @Override
  public void flushOutstanding(String cause) {
    requests.flushOutstanding(cause);
    reset();
  }

  @Override
  public int flushPosted(String cause, int most) {
    return requests.flushPosted(cause, most);
  }

  @Override
  public String peer() {
    return sender.peer();
  }
}
