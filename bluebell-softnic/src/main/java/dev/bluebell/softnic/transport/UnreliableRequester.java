package dev.bluebell.softnic.transport;

import dev.bluebell.hca.command.View;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue;

/**
 * Executes the send queue of an unreliable queue pair: one WQE after the other, each complete once
 * it is sent. Pure logic. Owned by whoever runs the engine.
 */
public final class UnreliableRequester implements SendHalf {
  /** Messages and bytes of one turn, so that one queue cannot starve the others. */
  private static final int MESSAGES_PER_TURN = 64;

  private static final long BYTES_PER_TURN = 256 << 10;

  private final QueuePair queuePair;
  private final SendQueue sendQueue;
  private final Drops drops;
  private final Fault fault = new Fault();
  private final UnreliableSender sender;

  // Holds the request that is being sent, if any.
  private final Outstanding outstanding = new Outstanding();
  private final SendCompletions completions;

  UnreliableRequester(QueuePair queuePair) {
    this.queuePair = queuePair;
    sendQueue = queuePair.sendQueue();
    drops = queuePair.drops();
    sender =
        queuePair.service() == ServiceType.UD
            ? new DatagramSender(queuePair, fault)
            : new MessageSender(queuePair, fault);
    completions = new SendCompletions(queuePair, outstanding);
  }

  @Override
  public int nextPsn() {
    return sender.nextPsn();
  }

  @Override
  public void reset() {
    outstanding.clear();
    fault.clear();
    sender.reset();
  }

  @Override
  public void start(View qpc, int timeoutCode) {
    sender.start(qpc);
  }

  @Override
  public int work() {
    int done = 0;
    long bytes = BYTES_PER_TURN;
    while (done < MESSAGES_PER_TURN && bytes > 0 && queuePair.state() == QpState.RTS) {
      if (outstanding.isEmpty() && !admit()) {
        break;
      }
      bytes -= send(bytes);
      done++;
    }
    return done;
  }

  /** Fetches the next WQE and checks its form; false when there is none. */
  private boolean admit() {
    int index = sendQueue.nextIndex();
    switch (sendQueue.fetch(fault)) {
      case NOTHING -> {
        return false;
      }
      case FAULT -> {
        outstanding.push(index, 0, 0, 0, 0, 0, 0);
        return true;
      }
      case WQE -> {}
    }
    long at = sendQueue.snapshot(index);
    long first = Memory.getLong(at);
    int opcode = ControlSegment.opcode(first);
    int ds = ControlSegment.ds(first);
    int control = ControlSegment.fmCeSe(Memory.getLong(at + 8));
    queuePair.noteFetched(index, opcode, ds);
    long length = sender.messageLength(at, first, control, fault);
    outstanding.push(index, opcode, control, ds, 0, 0, (int) length);
    return true;
  }

  /** Executes the request at hand, or a part of it; how many bytes. */
  private long send(long budget) {
    int entry = outstanding.head();
    long moved = 0;
    if (!fault.isSet() && outstanding.opcode(entry) != WqeOpcode.NOP) {
      long at = sendQueue.snapshot(outstanding.wqeIndex(entry));
      moved = sender.send(at, at + outstanding.wqeBytes(entry), outstanding.bytes(entry), budget);
    }
    if (fault.isSet()) {
      fail();
      return 0;
    }
    if (sender.isDone() && !completions.complete()) {
      completions.failAtOverrun();
    }
    return moved;
  }

  private void fail() {
    int syndrome = fault.syndrome();
    int vendorSyndrome = fault.vendorSyndrome();
    String explanation = fault.explanation();
    fault.clear();
    completions.fail(syndrome, vendorSyndrome, explanation);
  }

  @Override
  public long deadline() {
    return Long.MAX_VALUE;
  }

  @Override
  public void onTimer() {}

  @Override
  public void noteDrop(String why) {
    if (drops.add(sender.nextPsn())) {
      drops.explain(why);
    }
  }

  @Override
  public void flushOutstanding(String cause) {
    completions.flushOutstanding(cause);
    reset();
  }

  @Override
  public int flushPosted(String cause) {
    return completions.flushPosted(cause);
  }
}
