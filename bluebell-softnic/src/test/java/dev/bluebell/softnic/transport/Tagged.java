package dev.bluebell.softnic.transport;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawTagCqe;
import dev.bluebell.softnic.rig.RawXrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/** A sender, a tag-matching queue with a receiver, and the queue pair that changes its list. */
final class Tagged implements AutoCloseable {
  static final int LOG_LIST = 3;
  static final int CONTEXT = 0x5eed;

  /** Offset in the target from which on receive WQEs have their buffers. */
  static final int UNTAGGED = 4096;

  final Rig rig;
  final RawMemory source;
  final RawMemory target;
  final RawXrq xrq;
  final RawQp commands;
  final RawPair pair;

  // The next entry to append.
  private int index;

  /**
   * @param offloaded whether the receiver does rendezvous
   */
  Tagged(boolean offloaded, Settings settings) {
    this(offloaded, settings, wq -> {});
  }

  /**
   * @param offloaded whether the receiver does rendezvous
   * @param change last changes to the context of the work queue
   */
  Tagged(boolean offloaded, Settings settings, Consumer<View> change) {
    this(Rigs.open(), offloaded, settings, change);
  }

  /** The same on a device of the test's own, which is closed with it. */
  Tagged(Rig rig, boolean offloaded, Settings settings) {
    this(rig, offloaded, settings, wq -> {});
  }

  /** Combines the changes of both. */
  Tagged(Rig rig, boolean offloaded, Settings settings, Consumer<View> change) {
    this.rig = rig;
    source = rig.memory(8192).fill(7);
    target = rig.memory(8192);
    xrq = new RawXrq(rig, rig.cq(6), LOG_LIST, change);
    commands = xrq.commands();
    RawQp receiver = offloaded ? xrq.offloaded() : xrq.qp();
    pair = RawPair.connect(rig.qp(rig.cq(6)), receiver, settings);
    rig.subscribe(receiver.object(), HcaEvent.WQ_INVALID_REQUEST);
  }

  Tagged() {
    this(false, new Settings());
  }

  RawQp sender() {
    return pair.left();
  }

  RawQp receiver() {
    return pair.right();
  }

  /** Appends a buffer in the target, polls the completion, and returns its entry. */
  int append(long tag, long mask, long offset, int bytes) {
    return append(tag, mask, target.address(offset), bytes, target.key());
  }

  int append(long tag, long mask, long address, int bytes, int key) {
    int entry = index;
    index = index + 1 & (1 << LOG_LIST) - 1;
    change(RawXrq.append(index, tag, mask).data(address, bytes, key));
    return entry;
  }

  /** Executes a change of the list, and returns its completion. */
  RawTagCqe change(Wqe wqe) {
    commands.post(wqe);
    rig.settle();
    return RawTagCqe.pollOne(xrq.completions());
  }

  /** Posts a receive WQE in the target. */
  void receive(int slot, int bytes) {
    xrq.receive(target.address(UNTAGGED + 1024L * slot), bytes, target.key());
  }

  /** Puts a header in front of the source. */
  void header(int operation, long tag) {
    source.put(0, header(operation, CONTEXT, tag));
  }

  static byte[] header(int operation, int context, long tag) {
    return ByteBuffer.allocate(16)
        .put(0, (byte) operation)
        .putInt(4, context)
        .putLong(8, tag)
        .array();
  }

  /** Puts both headers of a request for a rendezvous in front of the source. */
  void offer(long tag, long address, int key, int bytes) {
    header(1, tag);
    source.put(16, ByteBuffer.allocate(16).putLong(address).putInt(key).putInt(bytes).array());
  }

  /** Sends the first bytes of the source, and returns the completions of the tag-matching queue. */
  List<RawTagCqe> send(int bytes) {
    return send(Wqe.send().data(source, 0, bytes));
  }

  List<RawTagCqe> send(Wqe wqe) {
    sender().post(wqe);
    rig.settle();
    return RawTagCqe.poll(xrq.completions());
  }

  @Override
  public void close() {
    target.expectCanaries();
    source.expectCanaries();
    xrq.expectCanaries();
    rig.close();
  }
}
