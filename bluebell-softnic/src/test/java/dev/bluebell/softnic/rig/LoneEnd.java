package dev.bluebell.softnic.rig;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.EthernetPort;
import dev.bluebell.softnic.port.PartitionKey;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.transport.Endpoint;
import dev.bluebell.softnic.transport.MulticastGroups;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.Drops;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.operation.CqReports;
import dev.bluebell.softnic.transport.operation.LocalOperations;
import dev.bluebell.softnic.transport.operation.SendSide;
import dev.bluebell.softnic.transport.operation.WqeRing;
import dev.bluebell.softnic.transport.reliable.OnePeer;
import dev.bluebell.softnic.transport.reliable.RcRequester;
import java.util.ArrayList;
import java.util.List;

/**
 * One end of a connection without a queue pair: each test makes the part under test, and this makes
 * the parts that it needs.
 */
public final class LoneEnd {
  public static final int QPN = 0x40;
  public static final int REMOTE_QPN = 0x50;
  public static final int USER_INDEX = 0x123;
  public static final int PSN = 1000;
  public static final Gid LOCAL = Addresses.gid(Addresses.LINK_LOCAL);
  private static final EthernetPort REMOTE_PORT = new EthernetPort(Addresses.IDENTITY + 1, 4096);
  public static final Gid REMOTE = REMOTE_PORT.gid(Addresses.LINK_LOCAL);

  /** log2 of the path MTU, 256 bytes, which makes short messages long. */
  public static final int LOG_MTU = 8;

  public static final int MTU = 1 << LOG_MTU;

  private static final int LOG_QUEUE = 7;
  private static final int LOG_COMPLETIONS = 8;

  public final LoneChip chip = new LoneChip();
  public final LoneRoute route = new LoneRoute(Addresses.PORT);
  public final QpIdentity self;
  public final Lifecycle life;
  public final Connection connection;
  public final Drops drops;
  public final LoneSendQueue sends = new LoneSendQueue(chip, QPN, LOG_QUEUE);
  public final LoneReceiveQueue receives = new LoneReceiveQueue(chip, LOG_QUEUE);
  public final LoneCompletionQueue sendCompletions =
      new LoneCompletionQueue(chip, 0x81, LOG_COMPLETIONS);
  public final LoneCompletionQueue receiveCompletions =
      new LoneCompletionQueue(chip, 0x82, LOG_COMPLETIONS);
  public final ReceiveSource source =
      new ReceiveSource(receives.queue(), receiveCompletions.queue(), USER_INDEX, false);

  /** Attributes, for a test to change before {@link #connect}. */
  public final View qpc = View.of(Qpc.STRUCTURE);

  private final Idle work = new Idle();

  public LoneEnd(ServiceType service) {
    self = new QpIdentity(QPN, service, LoneChip.PD, USER_INDEX);
    life = new Lifecycle(chip.chip(), self, work);
    connection = new Connection(self, route, work, chip.chip().counters());
    drops = new Drops(chip.chip(), self, Drops.ALL_EXPLAINED);
    qpc.set(Qpc.MTU, 1)
        .set(Qpc.LOG_MSG_MAX, 30)
        .set(Qpc.PD, LoneChip.PD)
        .set(Qpc.USER_INDEX, USER_INDEX)
        .set(Qpc.REMOTE_QPN, REMOTE_QPN)
        .set(Qpc.NEXT_SEND_PSN, PSN)
        .set(Qpc.NEXT_RCV_PSN, PSN)
        .set(Qpc.LOG_SRA_MAX, 2)
        .set(Qpc.LOG_RRA_MAX, 2)
        .set(Qpc.LOG_ACK_REQ_FREQ, 15)
        .set(Qpc.RETRY_COUNT, 3)
        .set(Qpc.RNR_RETRY, 2)
        .set(Qpc.MIN_RNR_NAK, 12)
        .set(Qpc.Q_KEY, 0x11111111)
        .set(Qpc.RRE, true)
        .set(Qpc.RWE, true)
        .set(Qpc.RAE, true)
        .at(Qpc.PRIMARY_ADDRESS_PATH)
        .set(Ads.SRC_ADDR_INDEX, Addresses.LINK_LOCAL)
        .setBytes(Ads.RGID_RIP, REMOTE.bytes());
  }

  /** An endpoint without a queue pair. */
  public static Endpoint endpoint() {
    return new Endpoint(
        new ObjectTable<>(1, 2),
        new ObjectTable<>(1, 2),
        new MulticastGroups(),
        new Counters(),
        new Explanations());
  }

  /** The part that its two halves share. */
  public End both() {
    return new End(chip.chip(), self, life, connection);
  }

  /** Its send queue, whose requests complete in a CQ. */
  public SendSide sendSide() {
    return new SendSide(
        sends.queue(),
        new WqeRing(sends.queue()),
        sendCompletions.queue(),
        new CqReports(self, life, sendCompletions.queue()),
        null);
  }

  /** The RC requester of its send queue; all its requests travel. */
  public RcRequester requester() {
    return new RcRequester(
        both(),
        new OnePeer(connection, endpoint()),
        sendSide(),
        new LocalOperations(both(), sendCompletions.queue(), null),
        null,
        null);
  }

  /** Work that gets no turns. */
  private static final class Idle extends Work {
    @Override
    protected int turn() {
      return 0;
    }

    @Override
    protected void abandon(String why) {
      throw new AssertionError(why);
    }
  }

  public Work work() {
    return work;
  }

  /** Brings it to RTS with the attributes. */
  public void connect() {
    connection.configure(qpc);
    life.enter(QpState.RTS);
  }

  /** The connection of the peer, whose packets are like {@link #packet}. */
  public Connection peer() {
    Connection peer =
        new Connection(
            new QpIdentity(REMOTE_QPN, self.service(), LoneChip.PD, 0),
            new LoneRoute(REMOTE_PORT),
            work,
            chip.chip().counters());
    View attributes = View.over(qpc.bytes().clone()).set(Qpc.REMOTE_QPN, QPN);
    attributes.at(Qpc.PRIMARY_ADDRESS_PATH).setBytes(Ads.RGID_RIP, LOCAL.bytes());
    peer.configure(attributes);
    return peer;
  }

  /** A packet of the peer. */
  public Packet packet(ServiceType service, int operation, int psn) {
    Packet packet = new Packet();
    packet.opcode = Opcodes.service(service) | operation;
    packet.psn = psn;
    packet.sourceQpn = REMOTE_QPN;
    packet.destinationQpn = QPN;
    packet.partitionKey = PartitionKey.DEFAULT;
    packet.global = true;
    packet.sourceGidHigh = REMOTE.high();
    packet.sourceGidLow = REMOTE.low();
    return packet;
  }

  /** Gives a packet a payload. */
  public static Packet carrying(Packet packet, LoneMemory memory, long offset, int bytes) {
    packet.payload.clear();
    packet.payload.add(memory.address(offset), bytes);
    packet.payloadBytes = bytes;
    return packet;
  }

  public List<String> sendsCompleted() {
    return completed(sendCompletions);
  }

  public List<String> receivesCompleted() {
    return completed(receiveCompletions);
  }

  /** The completions written since the last call, as text. */
  private static List<String> completed(LoneCompletionQueue queue) {
    List<String> texts = new ArrayList<>();
    while (!queue.isEmpty()) {
      texts.add(text(queue.poll()));
    }
    return texts;
  }

  private static String text(RawCqe cqe) {
    String what = "%s %d".formatted(CqeOpcode.name(cqe.opcode()), cqe.wqeCounter());
    if (cqe.opcode() == CqeOpcode.REQ || cqe.opcode() == CqeOpcode.REQ_ERR) {
      what += " " + WqeOpcode.name(cqe.sendOpcode());
    }
    if (cqe.isError()) {
      return "%s: %s 0x%02x, %s"
          .formatted(what, Syndrome.name(cqe.syndrome()), cqe.vendorSyndrome(), cqe.explanation());
    }
    return "%s, %d bytes%s%s"
        .formatted(
            what,
            cqe.byteCount(),
            cqe.immediate() == 0 ? "" : ", immediate 0x%x".formatted(cqe.immediate()),
            cqe.solicited() ? ", solicited" : "");
  }
}
