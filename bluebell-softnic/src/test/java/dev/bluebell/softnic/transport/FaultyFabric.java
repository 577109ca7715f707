package dev.bluebell.softnic.transport;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.PacketSink;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.fabric.Station;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.PartitionKey;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A fabric that loses, duplicates, holds back, corrupts or refuses packets under control of a test,
 * and can deliver forged ones.
 */
public final class FaultyFabric implements Fabric {

  /** Fate of a packet. */
  public enum Fate {
    DELIVER,
    LOSE,
    REPEAT,
    HOLD,
    REFUSE
  }

  /** Kind of a forged response. */
  public enum Answer {
    ACKNOWLEDGE(BthOpcode.ACKNOWLEDGE, Aeth.ACK),
    NAK(BthOpcode.ACKNOWLEDGE, Aeth.PSN_SEQUENCE_NAK),
    RECEIVER_NOT_READY(BthOpcode.ACKNOWLEDGE, Aeth.RNR_NAK),
    READ(BthOpcode.READ_RESPONSE_ONLY, 0),
    ATOMIC(BthOpcode.ATOMIC_ACKNOWLEDGE, 0);

    private final int operation;
    private final int syndrome;

    Answer(int operation, int syndrome) {
      this.operation = operation;
      this.syndrome = syndrome;
    }
  }

  private final Fabric fabric;
  private final PacketSink sink;
  private final List<Integer> requestPsns = new ArrayList<>();
  private final List<Work> refused = new ArrayList<>();
  private final List<Late> held = new ArrayList<>();
  private Function<Packet, Fate> onRequest = request -> Fate.DELIVER;
  private Function<Packet, Fate> onResponse = response -> Fate.DELIVER;
  private int packetsPerBurst = 16;
  private boolean direct;

  /**
   * @param sink takes forged packets
   */
  public FaultyFabric(Fabric fabric, PacketSink sink) {
    this.fabric = fabric;
    this.sink = sink;
  }

  /** Decides about each request; may change it. */
  public FaultyFabric onRequest(Function<Packet, Fate> decision) {
    onRequest = decision;
    return this;
  }

  /** Decides about each response; may change it. */
  public FaultyFabric onResponse(Function<Packet, Fate> decision) {
    onResponse = decision;
    return this;
  }

  public void carryAllRequests() {
    onRequest(request -> Fate.DELIVER);
  }

  public void carryAllResponses() {
    onResponse(response -> Fate.DELIVER);
  }

  /**
   * Allows requests to cut through where the fabric below does; otherwise all are sent as packets.
   */
  public FaultyFabric direct(boolean allowed) {
    direct = allowed;
    return this;
  }

  /** Most packets of one train; 1 as on a wire. */
  public FaultyFabric packetsPerBurst(int packets) {
    packetsPerBurst = packets;
    return this;
  }

  /** PSNs of all requests that were sent, in order, delivered or not. */
  public List<Integer> requestPsns() {
    return requestPsns;
  }

  /** Delivers the packets held back, in the order in which they were sent. */
  public void release() {
    release(held.size());
  }

  /** Delivers the first packets held back, in the order in which they were sent. */
  public void release(int count) {
    List<Late> first = held.subList(0, count);
    List<Late> late = List.copyOf(first);
    first.clear();
    late.forEach(each -> sink.arrive(each.packet));
  }

  /** Number of packets held back. */
  public int held() {
    return held.size();
  }

  /** A packet that was held back, with its payload as it was when it was sent. */
  private record Late(Packet packet, MemorySegment payload) {
    static Late copy(Packet sent) {
      Packet packet = new Packet();
      packet.copyHeaders(sent);
      MemorySegment payload = Arena.ofAuto().allocate(Math.max(1, sent.payloadBytes));
      if (sent.payloadBytes > 0) {
        sent.payload.copyTo(payload.address(), sent.payloadBytes);
        packet.payload.add(payload.address(), sent.payloadBytes);
        packet.payloadBytes = sent.payloadBytes;
      }
      return new Late(packet, payload);
    }
  }

  /** Wakes the senders whose packets were refused for lack of room. */
  public void wakeRefused() {
    List<Work> waiting = List.copyOf(refused);
    refused.clear();
    waiting.forEach(work -> ((QueuePair) work).wake());
  }

  /** True for the operation of a request, whatever its service. */
  public static boolean is(Packet packet, int operation) {
    return BthOpcode.operation(packet.opcode) == operation;
  }

  /** Sets the opcode of a packet that carries a work request, or a part of it. */
  public static void carry(
      Packet packet, ServiceType service, int wqeOpcode, boolean first, boolean last) {
    int operation =
        switch (wqeOpcode) {
          case WqeOpcode.RDMA_READ -> BthOpcode.READ_REQUEST;
          case WqeOpcode.ATOMIC_CS -> BthOpcode.COMPARE_SWAP;
          case WqeOpcode.ATOMIC_FA -> BthOpcode.FETCH_ADD;
          default -> Opcodes.part(wqeOpcode, first, last);
        };
    packet.opcode = Opcodes.service(service) | operation;
  }

  /** Delivers a forged request. */
  public void forgeRequest(int sourceQpn, int destinationQpn, Consumer<Packet> fields) {
    Packet request = forged(sourceQpn, destinationQpn);
    fields.accept(request);
    sink.arrive(request);
  }

  /** Delivers a forged response. */
  public void forgeResponse(
      int sourceQpn, int destinationQpn, Answer answer, int psn, Consumer<Packet> fields) {
    Packet response = forged(sourceQpn, destinationQpn);
    response.opcode = answer.operation;
    response.syndrome = answer.syndrome;
    response.psn = psn;
    fields.accept(response);
    sink.arrive(response);
  }

  private static Packet forged(int sourceQpn, int destinationQpn) {
    Packet packet = new Packet();
    packet.sourceQpn = sourceQpn;
    packet.destinationQpn = destinationQpn;
    packet.partitionKey = PartitionKey.DEFAULT;
    packet.global = true;
    packet.sourceGidHigh = 0xfe80_0000_0000_0000L;
    packet.sourceGidLow = 0x00be_11ff_fe00_0001L;
    return packet;
  }

  @Override
  public @Nullable Route open(Path path, Work sender) {
    Route route = fabric.open(path, sender);
    return route == null ? null : new FaultyRoute(route, sender);
  }

  @Override
  public Station station() {
    return fabric.station();
  }

  private final class FaultyRoute implements Route {
    private final Route route;
    private final Work sender;

    FaultyRoute(Route route, Work sender) {
      this.route = route;
      this.sender = sender;
    }

    @Override
    public int burstBytes(int logMtu) {
      return packetsPerBurst << logMtu;
    }

    @Override
    public boolean isDirect() {
      return direct && route.isDirect();
    }

    @Override
    public boolean send(Packet packet) {
      boolean response = BthOpcode.isResponse(packet.opcode);
      if (!response) {
        requestPsns.add(packet.psn);
      }
      switch ((response ? onResponse : onRequest).apply(packet)) {
        case DELIVER -> route.send(packet);
        case REPEAT -> {
          route.send(packet);
          route.send(packet);
        }
        case LOSE -> {}
        case HOLD -> held.add(Late.copy(packet));
        case REFUSE -> {
          refused.add(sender);
          return false;
        }
      }
      return true;
    }
  }
}
