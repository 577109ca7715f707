package dev.bluebell.cli.perf;

import dev.bluebell.cli.perf.PerfResult.Fault;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The result of a client, in the message to its server. */
final class PeerResult {
  private static final int BYTES = 11 * Long.BYTES + 3;

  private static final byte FAILED = 0;
  private static final byte VERIFIED = 1;
  private static final byte WRONG = 2;

  private PeerResult() {}

  static PeerMessage message(PerfResult result) {
    Latency latency = result.latency();
    ByteBuffer out =
        ByteBuffer.allocate(BYTES)
            .putLong(result.messages())
            .putLong(result.nanos())
            .putDouble(result.peak())
            .putLong(result.allocated())
            .put(result.isVerified() ? VERIFIED : result.isWrong() ? WRONG : FAILED)
            .put((byte) (result.interrupted() ? 1 : 0))
            .put((byte) (latency == null ? 0 : 1));
    if (latency != null) {
      out.putLong(latency.min()).putLong(latency.max());
      out.putDouble(latency.average()).putDouble(latency.deviation());
      out.putLong(latency.p50()).putLong(latency.p99()).putLong(latency.p999());
    }
    return new PeerMessage(PeerMessage.Kind.RESULT, out.array());
  }

  /** The result in a message. */
  static PerfResult read(PerfPlan plan, PeerMessage message) {
    return message.read(
        in -> {
          long messages = in.getLong();
          long nanos = in.getLong();
          double peak = in.getDouble();
          long allocated = in.getLong();
          byte verdict = in.get();
          Fault fault =
              verdict == VERIFIED ? null : new Fault(verdict == WRONG, "the client reports it");
          boolean interrupted = in.get() == 1;
          Latency latency = in.get() == 0 ? null : latency(in);
          in.position(BYTES);
          return new PerfResult(
              plan, messages, nanos, peak, allocated, 0, latency, fault, interrupted, null, 0);
        });
  }

  private static @Nullable Latency latency(ByteBuffer in) {
    return new Latency(
        in.getLong(),
        in.getLong(),
        in.getDouble(),
        in.getDouble(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        new long[0]);
  }
}
