package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestLanding;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.RequestScatter;
import dev.bluebell.verbs.ring.AddressWords;
import dev.bluebell.verbs.ring.PlainRequest;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Builds send requests with the driver's ring. It gets only the inputs, never the recorded bytes:
 * the queue pair, the start index and the requests.
 */
final class SendBuilder {
  private static final int WQEBB = ControlSegment.WQEBB_BYTES;

  /** Where the bytes of inline data come from. */
  enum InlineSource {
    ARRAY,
    HEAP_SEGMENT,
    NATIVE_SEGMENT
  }

  private final ServiceType service;
  private final InlineSource source;
  private final boolean signalAll;
  private final boolean takesAnyAtomicLength;
  private final Scratch ring;
  private final Scratch record = Scratch.memory(DoorbellRecord.STRIDE);
  private final Scratch register = Scratch.register(Uar.BLUEFLAME_REGISTER_BYTES);
  private final SendRing send;
  private final Map<Integer, Doorbell> doorbells = new TreeMap<>();

  /**
   * @param staged whether requests are built in memory of their own and then copied to the ring
   */
  SendBuilder(JsonNode qp, int qpn, int startIndex, InlineSource source, boolean staged) {
    this.source = source;
    service = service(Numbers.member(qp, "type").asText());
    int wqebbs = Numbers.integer(qp, "sq_wqe_cnt");
    signalAll = Numbers.integer(qp, "sq_sig_all") != 0;
    // ibv_wr_* writes the given length, ibv_post_send always 8.
    takesAnyAtomicLength = Numbers.integer(qp, "created_with_ops_flags") != 0;
    ring = Scratch.memory(wqebbs * WQEBB);
    int wqeBytes =
        SendRingLayout.wqeBytes(
            service,
            Numbers.integer(qp, "max_send_sge_req"),
            Numbers.integer(qp, "max_inline_req"));
    send =
        new SendRing(
            SendRingLayout.of(
                    ring.address(),
                    Integer.numberOfTrailingZeros(wqebbs),
                    qpn,
                    record.address(),
                    register.address(),
                    wqeBytes)
                .startingAt(startIndex)
                .withBlueFlame(true)
                .withStaging(staged));
  }

  private static ServiceType service(String type) {
    return switch (type) {
      case "RC" -> ServiceType.RC;
      case "UC" -> ServiceType.UC;
      case "UD" -> ServiceType.UD;
      case "XRC_SEND" -> ServiceType.XRC;
      case "DCI", "DCI_STREAM" -> ServiceType.DCI;
      default -> throw new UnsupportedVector("queue pairs of type " + type);
    };
  }

  /** Posts a request; returns the reason if the driver refuses it. */
  Optional<String> post(SendSpec spec) {
    return refusal(() -> end(spec, build(spec)));
  }

  /** Posts a raw request; returns the reason if the driver refuses it. */
  Optional<String> post(RawSpec spec) {
    return refusal(
        () -> {
          RequestModifiers stage = send.raw(service, MemorySegment.ofArray(spec.entry()));
          if (spec.signaled()) {
            stage.signaled(0);
          } else {
            stage.unsignaled(0);
          }
        });
  }

  /** Posts a request that changes a memory key; returns the reason if the driver refuses it. */
  Optional<String> post(KeySpec spec) {
    return refusal(() -> spec.post(send, signalAll));
  }

  private static Optional<String> refusal(Runnable request) {
    try {
      request.run();
      return Optional.empty();
    } catch (IllegalArgumentException | IllegalStateException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private RequestModifiers build(SendSpec spec) {
    long remote = spec.remoteAddress();
    int rkey = spec.rkey();
    int immediate = spec.immediate();
    PlainRequest start = start(spec);
    return switch (spec.opcode()) {
      case "SEND" -> data(start.send(), spec);
      case "SEND_WITH_IMM" -> data(start.sendImmediate(immediate), spec);
      case "SEND_WITH_INV" -> data(start.sendInvalidate(immediate), spec);
      case "RDMA_WRITE" -> data(start.write(remote, rkey), spec);
      case "RDMA_WRITE_WITH_IMM" -> data(start.writeImmediate(remote, rkey, immediate), spec);
      case "RDMA_READ" -> land(start.read(remote, rkey), spec);
      case "ATOMIC_CMP_AND_SWP" -> compareAndSwap(start, spec);
      case "ATOMIC_FETCH_AND_ADD" -> fetchAndAdd(start, spec);
      default -> throw new UnsupportedVector("opcode " + spec.opcode());
    };
  }

  /** The first stage of a request: at its destination, if it names one. */
  private PlainRequest start(SendSpec spec) {
    return switch (service) {
      case UD -> send.to(DestinationSpec.datagram(spec.request()));
      case XRC -> send.toSharedReceives(Numbers.integer(spec.request(), "remote_srqn"));
      case DCI -> dynamic(spec.request());
      default -> send.request();
    };
  }

  private PlainRequest dynamic(JsonNode request) {
    AddressWords destination = DestinationSpec.dynamic(request);
    return request.has("stream_id")
        ? send.to(destination).on(Numbers.integer(request, "stream_id"))
        : send.to(destination);
  }

  private RequestModifiers data(RequestData start, SendSpec spec) {
    RequestData stage = start;
    for (SendSpec.Entry entry : spec.entries()) {
      stage =
          spec.isFlagged("INLINE")
              ? inline(stage, entry.inline())
              : stage.gather(entry.address(), entry.length(), entry.lkey());
    }
    return stage;
  }

  private RequestData inline(RequestData stage, byte[] data) {
    return switch (source) {
      case ARRAY -> stage.inline(data, 0, data.length);
      case HEAP_SEGMENT -> stage.inline(MemorySegment.ofArray(data), 0, data.length);
      case NATIVE_SEGMENT -> {
        MemorySegment memory = Arena.ofAuto().allocate(data.length + 1L);
        MemorySegment.copy(data, 0, memory, ValueLayout.JAVA_BYTE, 1, data.length);
        yield stage.inline(memory, 1, data.length);
      }
    };
  }

  private static RequestModifiers land(RequestLanding start, SendSpec spec) {
    return spec.entries().isEmpty() ? start.nowhere() : scatter(start.scatter(0, 0, 0), spec);
  }

  private static RequestModifiers scatter(RequestScatter start, SendSpec spec) {
    RequestScatter stage = start;
    for (SendSpec.Entry entry : spec.entries()) {
      stage = stage.scatter(entry.address(), entry.length(), entry.lkey());
    }
    return stage;
  }

  private RequestModifiers compareAndSwap(PlainRequest start, SendSpec spec) {
    if (hasOneWord(spec)) {
      SendSpec.Entry entry = spec.entries().getFirst();
      return start
          .compareAndSwap(spec.remoteAddress(), spec.rkey(), spec.compareAdd(), spec.swap())
          .scatter(entry.address(), entry.lkey());
    }
    return scatter(
        start.compareAndSwap(spec.remoteAddress(), spec.rkey(), spec.compareAdd(), spec.swap()),
        spec);
  }

  private RequestModifiers fetchAndAdd(ReliableOperations start, SendSpec spec) {
    if (!hasOneWord(spec)) {
      throw new UnsupportedVector("fetch-and-add that does not land in one word");
    }
    SendSpec.Entry entry = spec.entries().getFirst();
    return start
        .fetchAndAdd(spec.remoteAddress(), spec.rkey(), spec.compareAdd())
        .scatter(entry.address(), entry.lkey());
  }

  private boolean hasOneWord(SendSpec spec) {
    return spec.entries().size() == 1
        && (!takesAnyAtomicLength
            || spec.entries().getFirst().length() == AtomicSegment.OPERAND_BYTES);
  }

  private void end(SendSpec spec, RequestModifiers built) {
    RequestModifiers stage = built;
    if (spec.isFlagged("FENCE")) {
      stage = stage.fence();
    }
    if (spec.isFlagged("SOLICITED")) {
      stage = stage.solicited();
    }
    if (signalAll || spec.isFlagged("SIGNALED")) {
      stage.signaled(spec.id());
    } else {
      stage.unsignaled(spec.id());
    }
  }

  /** Rings, and records the write to the register. */
  void ring() {
    register.clear();
    send.ringDoorbell();
    for (int offset = 0;
        offset < 2 * Uar.BLUEFLAME_BUFFER_BYTES;
        offset += Uar.BLUEFLAME_BUFFER_BYTES) {
      int length = Uar.BLUEFLAME_BUFFER_BYTES;
      while (length > 0 && register.isUntouched(offset + length - Long.BYTES)) {
        length -= Long.BYTES;
      }
      if (length > 0) {
        doorbells.put(offset, new Doorbell(offset, register.bytes(offset, length)));
      }
    }
  }

  /** The last write to each buffer of the register. */
  List<Doorbell> doorbells() {
    return List.copyOf(doorbells.values());
  }

  /** Compares the WQEBBs of the ring. */
  void compare(JsonNode recorded, List<String> differences) {
    ring.compare("WQEBB", WQEBB, recorded, differences);
  }

  /** WQEBBs of the ring that no request takes. */
  int freeWqebbs() {
    return send.freeWqebbs();
  }

  /** True when a WQEBB of the ring was written. */
  boolean isWritten(int slot) {
    return !ring.isUntouched((long) slot * WQEBB, WQEBB);
  }

  /** The send counter of the doorbell record; empty if it was never written. */
  Optional<Integer> record() {
    return record.isUntouched(0)
        ? Optional.empty()
        : Optional.of(record.integer(DoorbellRecord.SEND));
  }
}
