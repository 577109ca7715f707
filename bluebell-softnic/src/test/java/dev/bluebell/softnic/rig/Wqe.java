package dev.bluebell.softnic.rig;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.hca.wqe.QueueSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.WaitValueSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.hca.wqe.XrcSegment;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** A send WQE as bytes; a test can spoil every field of its control segment. */
public final class Wqe {
  private static final int AS_IT_IS = -1;

  private final int opcode;
  private final ByteArrayOutputStream segments = new ByteArrayOutputStream();
  private byte[] addressing = new byte[0];
  private int opmod;
  private int control = ControlSegment.CE_ALWAYS;
  private int immediate;
  private int stream;
  private int ds = AS_IT_IS;
  private int index = AS_IT_IS;
  private int qpn = AS_IT_IS;

  /** A signalled WQE of this opcode with only the control segment. */
  public Wqe(int opcode) {
    this.opcode = opcode;
  }

  public static Wqe nop() {
    return new Wqe(WqeOpcode.NOP);
  }

  public static Wqe send() {
    return new Wqe(WqeOpcode.SEND);
  }

  public static Wqe write(RawMemory to, long offset) {
    return new Wqe(WqeOpcode.RDMA_WRITE).remote(to.address(offset), to.key());
  }

  public static Wqe read(RawMemory from, long offset) {
    return new Wqe(WqeOpcode.RDMA_READ).remote(from.address(offset), from.key());
  }

  public static Wqe fetchAndAdd(RawMemory at, long offset, long add) {
    return new Wqe(WqeOpcode.ATOMIC_FA).remote(at.address(offset), at.key()).words(add, 0);
  }

  public static Wqe compareAndSwap(RawMemory at, long offset, long compare, long swap) {
    return new Wqe(WqeOpcode.ATOMIC_CS).remote(at.address(offset), at.key()).words(swap, compare);
  }

  /** A WAIT until a completion queue has produced more than {@code index} completions. */
  public static Wqe await(RawCq cq, int index) {
    return new Wqe(WqeOpcode.WAIT).queue(cq.number(), index);
  }

  /** A WAIT for memory or the clock. */
  public static Wqe awaitValue(
      int opmod, int operation, int lkey, long address, long value, long mask) {
    return new Wqe(WqeOpcode.WAIT)
        .opmod(opmod)
        .words(
            WaitValueSegment.OPERATION.place(operation) | WaitValueSegment.LKEY.place(lkey),
            address)
        .words(value, mask);
  }

  public static Wqe enableSends(RawQp of, int index) {
    return new Wqe(WqeOpcode.SEND_EN).queue(of.number(), index);
  }

  public static Wqe enableReceives(RawQp of, int counter) {
    return new Wqe(WqeOpcode.RECV_EN).queue(of.number(), counter);
  }

  /** Adds the segment of a WAIT, SEND_EN or RECV_EN. */
  public Wqe queue(int number, int index) {
    return words(0, QueueSegment.MAX_INDEX.place(index) | QueueSegment.QPN.place(number));
  }

  /** A masked compare-and-swap of 8 bytes. */
  public static Wqe maskedSwap(
      RawMemory at, long offset, long swap, long compare, long swapMask, long compareMask) {
    return new Wqe(WqeOpcode.ATOMIC_MASKED_CS)
        .opmod(WqeForm.MASKED_ATOMIC_8)
        .remote(at.address(offset), at.key())
        .words(swap, compare)
        .words(swapMask, compareMask);
  }

  /** A masked fetch-and-add of 8 bytes. */
  public static Wqe maskedAdd(RawMemory at, long offset, long add, long fieldBoundary) {
    return new Wqe(WqeOpcode.ATOMIC_MASKED_FA)
        .opmod(WqeForm.MASKED_ATOMIC_8)
        .remote(at.address(offset), at.key())
        .words(add, fieldBoundary);
  }

  /** A datagram to a queue pair at the device's GID of an index, with the queue key of Settings. */
  public static Wqe datagram(RawQp to, int gidIndex) {
    return datagram(WqeOpcode.SEND, to.number(), 0x11111111, gidIndex, Addresses.gid(gidIndex));
  }

  /** A datagram to anywhere. */
  public static Wqe datagram(int opcode, int qpn, int qkey, int sourceGidIndex, Gid destination) {
    return new Wqe(opcode)
        .words(AddressVector.keyWord(qkey), AddressVector.destinationWord(qpn, 0, 0xc000))
        .words(
            AddressVector.rmacWord(Addresses.PORT.mac()),
            AddressVector.routeWord(Addresses.PORT.mac(), 0x6a, 63, sourceGidIndex, 0x12345))
        .words(destination.high(), destination.low());
  }

  /** A datagram to an Ethernet address, with the queue key of Settings. */
  public static Wqe datagramToMac(long mac, int qpn, Gid destination) {
    return new Wqe(WqeOpcode.SEND)
        .words(AddressVector.keyWord(0x11111111), AddressVector.destinationWord(qpn, 0, 0xc000))
        .words(
            AddressVector.rmacWord(mac),
            AddressVector.routeWord(mac, 0x6a, 63, Addresses.LINK_LOCAL, 0x12345))
        .words(destination.high(), destination.low());
  }

  /** A request to a DC target at the device's first GID, with the key of {@link RawDct}. */
  public static Wqe dynamic(int opcode, RawDct to) {
    return dynamic(
        opcode, to.number(), RawDct.KEY, Addresses.LINK_LOCAL, Addresses.gid(Addresses.LINK_LOCAL));
  }

  /** A request to any DC target. */
  public static Wqe dynamic(int opcode, int dctn, long key, int sourceGidIndex, Gid destination) {
    return new Wqe(opcode)
        .words(key, AddressVector.destinationWord(dctn, 0, 0xc000))
        .words(
            AddressVector.rmacWord(Addresses.PORT.mac()),
            AddressVector.routeWord(Addresses.PORT.mac(), 0x6a, 63, sourceGidIndex, 0x12345))
        .words(destination.high(), destination.low());
  }

  /** Stream of a DC initiator. */
  public Wqe stream(int id) {
    stream = id;
    return this;
  }

  /** Adds the number of the shared receive queue of XRC; must come before all other segments. */
  public Wqe xrc(int srqn) {
    addressing = ByteBuffer.allocate(XrcSegment.BYTES).putLong(XrcSegment.first(srqn)).array();
    return this;
  }

  public Wqe remote(long address, int rkey) {
    return words(address, RemoteAddressSegment.second(rkey));
  }

  /** Adds a data segment; none for 0 bytes, because a byte count of 0 means 2 GiB. */
  public Wqe data(RawMemory memory, long offset, int bytes) {
    return bytes == 0 ? this : data(memory.address(offset), bytes, memory.key());
  }

  public Wqe data(long address, int bytes, int lkey) {
    return words(DataSegment.first(bytes, lkey), address);
  }

  public Wqe inline(byte[] bytes) {
    ByteBuffer segment = ByteBuffer.allocate(InlineSegment.ds(bytes.length) * 16);
    segments.writeBytes(segment.putInt(InlineSegment.header(bytes.length)).put(bytes).array());
    return this;
  }

  /** Adds any 16 bytes. */
  public Wqe words(long first, long second) {
    segments.writeBytes(ByteBuffer.allocate(16).putLong(first).putLong(second).array());
    return this;
  }

  public Wqe opmod(int value) {
    opmod = value;
    return this;
  }

  /** fm_ce_se. */
  public Wqe control(int value) {
    control = value;
    return this;
  }

  public Wqe unsignalled() {
    return control(ControlSegment.CE_ON_ERROR);
  }

  public Wqe immediate(int value) {
    immediate = value;
    return this;
  }

  /** Sets a ds that does not match its segments. */
  public Wqe ds(int value) {
    ds = value;
    return this;
  }

  /** Sets an index that does not match its place. */
  public Wqe index(int value) {
    index = value;
    return this;
  }

  /** Sets a QPN other than that of its queue. */
  public Wqe qpn(int value) {
    qpn = value;
    return this;
  }

  /** Bytes of all segments. */
  int length() {
    return ControlSegment.BYTES + addressing.length + segments.size();
  }

  /** All bytes, for a place in a ring and a queue pair. */
  public byte[] bytes(int placeIndex, int queueQpn) {
    long first =
        ControlSegment.first(
            opmod,
            index == AS_IT_IS ? placeIndex : index,
            opcode,
            qpn == AS_IT_IS ? queueQpn : qpn,
            ds == AS_IT_IS ? length() / 16 : ds);
    return ByteBuffer.allocate(length())
        .putLong(first)
        .putLong(ControlSegment.second(control, immediate) | ControlSegment.STREAM.place(stream))
        .put(addressing)
        .put(segments.toByteArray())
        .array();
  }
}
