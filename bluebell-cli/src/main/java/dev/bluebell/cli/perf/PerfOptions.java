package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.SizeConverter;
import dev.bluebell.verbs.CqeCompression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The user's options for a measurement. An option that was not given is null, and takes perftest's
 * default.
 */
final class PerfOptions {
  private static final int DEPTH = 128;
  private static final int ECHO_DEPTH = 1024;
  private static final int MAX_DEPTH = 8192;
  private static final int SIGNAL_EVERY = 100;
  private static final int MAX_QUEUE_PAIRS = 16384;

  /** For longer messages, perftest signals every one. */
  private static final int LONG_MESSAGE = 8192;

  private static final int LOG_MAX_SIZE = 30;
  private static final int LOG_MAX_SIZE_OF_ALL = 23;

  /** Messages in a test of perftest. */
  private static final long LISTED = 1000;

  private static final int MAX_LISTED = 1 << 22;
  private static final double SECONDS = 1;
  private static final double SECONDS_OF_ALL = 0.2;
  private static final double NANOS = 1e9;

  @Option(
      names = {"-c", "--connection"},
      paramLabel = "KIND",
      defaultValue = "rc",
      description =
          "The kind of connection: ${COMPLETION-CANDIDATES}; uc has no read and no atomics, ud has"
              + " only send. Default: ${DEFAULT-VALUE}.")
  private ConnectionKind connection = ConnectionKind.RC;

  @Option(
      names = {"--srq", "--use-srq"},
      description = "Let messages of send arrive in one shared receive queue.")
  private boolean sharedReceives;

  @Option(
      names = {"-s", "--size"},
      paramLabel = "BYTES",
      converter = SizeConverter.class,
      description =
          "Message size, such as 64k. Default: 65536, or the MTU over ud; 2 with --latency, 32 for"
              + " echo, 8 for atomics, 4096 for bind.")
  private @Nullable Integer size;

  @Option(
      names = {"-a", "--all"},
      description = "All powers of two from 2 to 2^23 bytes, or to the MTU over ud.")
  private boolean all;

  @Option(
      names = {"-n", "--iters"},
      paramLabel = "N",
      description = "Messages to time. Default: as many as --duration allows.")
  private @Nullable Long iterations;

  @Option(
      names = {"-D", "--duration"},
      paramLabel = "SECONDS",
      description = "How long to time. Default: 1; 0.2 for each size with --all.")
  private @Nullable Double duration;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description =
          "The longest warm-up, which is not timed; it ends earlier when the rate no longer rises."
              + " Default: ${DEFAULT-VALUE}.")
  private double warmUp;

  @Option(
      names = {"-t", "--tx-depth"},
      paramLabel = "N",
      description = "Requests outstanding at a queue pair. Default: 128; 1024 for echo.")
  private @Nullable Integer depth;

  @Option(
      names = {"-Q", "--cq-mod"},
      paramLabel = "N",
      description = "Signal every N-th request. Default: 100; 1 for messages above 8192 bytes.")
  private @Nullable Integer signalEvery;

  @Option(
      names = {"-I", "--inline"},
      paramLabel = "BYTES",
      defaultValue = "0",
      description = "Put messages of at most this many bytes inside the requests. Default: 0.")
  private int inline;

  @Option(
      names = {"-b", "--bidirectional"},
      description = "Both sides send at the same time.")
  private boolean bidirectional;

  @Option(
      names = {"-q", "--qp"},
      paramLabel = "N",
      defaultValue = "1",
      description = "Connections, of one queue pair on each side. Default: ${DEFAULT-VALUE}.")
  private int queuePairs;

  @Option(
      names = "--active",
      paramLabel = "N",
      description = "Connections that are used; the others idle. Default: all.")
  private @Nullable Integer active;

  @Option(
      names = "--latency",
      description =
          "Measure one message at a time: half the round trip for write, write-imm, send and"
              + " tag-send; the whole round trip for the other operations.")
  private boolean latency;

  @Option(
      names = "--compress",
      paramLabel = "LAYOUT",
      defaultValue = "none",
      description =
          "Let the device compress completions: ${COMPLETION-CANDIDATES}. Default:"
              + " ${DEFAULT-VALUE}.")
  private CqeCompression compression = CqeCompression.NONE;

  @Option(
      names = {"-H", "--report-histogram"},
      description =
          "With --latency, also print the time of each message, sorted: a line each, 1000 messages"
              + " unless --iters says otherwise.")
  private boolean sorted;

  @Option(
      names = {"-U", "--report-unsorted"},
      description = "The same in the order of the messages.")
  private boolean unsorted;

  @Option(
      names = {"--report_gbits", "--report-gbits"},
      description = "Print bandwidths in Gb/sec (10^9 bits) in place of MB/sec (2^20 bytes).")
  private boolean gigabits;

  /** The format of the table. */
  PerfFormat format() {
    return new PerfFormat(gigabits, sorted, unsorted);
  }

  /** Whether several sizes are measured. */
  boolean isOfAllSizes() {
    return all;
  }

  /**
   * The measurements of an operation under these options.
   *
   * @param port port that the messages use
   * @throws IllegalArgumentException when they contradict each other
   */
  List<PerfPlan> plans(PerfOperation operation, PerfPort port) {
    check(operation);
    checkConnection(operation, port);
    int most = connection.isOfPackets() ? port.mtu() : 1 << LOG_MAX_SIZE_OF_ALL;
    List<PerfPlan> plans = new ArrayList<>();
    if (all) {
      for (int bytes = 2; bytes <= most; bytes <<= 1) {
        plans.add(plan(operation, bytes));
      }
    } else {
      plans.add(
          plan(operation, size == null ? Math.min(most, operation.defaultSize(latency)) : size));
    }
    return plans;
  }

  private PerfPlan plan(PerfOperation operation, int bytes) {
    boolean isEcho = operation == PerfOperation.ECHO;
    boolean isBothWays = bidirectional || latency;
    int used = active == null ? queuePairs : active;
    int asked = depth != null ? depth : latency ? 1 : isEcho ? ECHO_DEPTH : DEPTH;
    int outstanding = PerfPlan.depthWithin(asked, bytes, isBothWays ? 2 * used : used);
    int moderation = signalEvery != null ? signalEvery : bytes > LONG_MESSAGE ? 1 : SIGNAL_EVERY;
    double seconds = duration != null ? duration : all ? SECONDS_OF_ALL : SECONDS;
    return new PerfPlan(
        operation,
        connection,
        sharedReceives,
        bytes,
        latency,
        iterations != null ? iterations : format().isListing() ? LISTED : 0,
        (long) (seconds * NANOS),
        (long) (warmUp * NANOS),
        outstanding,
        Math.min(moderation, outstanding),
        operation.sendsData() && bytes <= inline,
        bidirectional,
        queuePairs,
        used,
        compression,
        format().isListing());
  }

  private void check(PerfOperation operation) {
    require(
        size == null || size >= 1 && size <= 1 << LOG_MAX_SIZE, "--size must be 1 to 2^30 bytes");
    require(size == null || !all, "--all and --size exclude each other: leave one out");
    require(
        iterations == null || duration == null,
        "--iters and --duration exclude each other: leave one out");
    require(iterations == null || iterations > 0, "--iters must be at least 1");
    require(duration == null || duration > 0, "--duration must be more than 0 seconds");
    require(warmUp >= 0, "--warm-up must be at least 0 seconds");
    require(
        depth == null || depth >= 1 && depth <= MAX_DEPTH, "--tx-depth must be 1 to " + MAX_DEPTH);
    require(signalEvery == null || signalEvery >= 1, "--cq-mod must be at least 1");
    int maxInline = connection.maxInline();
    require(
        inline >= 0 && inline <= maxInline, "--inline must be 0 to %d bytes".formatted(maxInline));
    require(
        queuePairs >= 1 && queuePairs <= MAX_QUEUE_PAIRS, "--qp must be 1 to " + MAX_QUEUE_PAIRS);
    require(active == null || active >= 1 && active <= queuePairs, "--active must be 1 to --qp");
    checkOperation(operation);
    require(
        latency || !format().isListing(),
        "--report-histogram needs --latency: add it, or leave out --report-histogram");
    require(!latency || !gigabits, "--report_gbits is for bandwidths only: leave it out");
    require(
        !format().isListing()
            || duration == null && (iterations == null || iterations <= MAX_LISTED),
        "--report-histogram has a line for each message: give --iters, at most " + MAX_LISTED);
    if (latency) {
      require(!bidirectional, "--latency and --bidirectional exclude each other: leave one out");
      require(depth == null, "--latency sends one message at a time: leave out --tx-depth");
      require(signalEvery == null, "--latency signals every request: leave out --cq-mod");
      require(queuePairs == 1, "--latency uses one connection: leave out --qp");
    }
  }

  private void checkConnection(PerfOperation operation, PerfPort port) {
    require(
        connection.has(operation),
        "there is no %s over %s: choose another --connection".formatted(operation, connection));
    require(
        size == null || !connection.isOfPackets() || size <= port.mtu(),
        "a message over %s has at most %d bytes, the MTU of the port: choose a smaller --size"
            .formatted(connection, port.mtu()));
    require(
        operation != PerfOperation.TAG_SEND || connection == ConnectionKind.RC,
        "tags are matched over rc only: leave out --connection");
    require(
        operation != PerfOperation.COPY
            || connection == ConnectionKind.RC
            || connection == ConnectionKind.DC,
        "copies are made by queue pairs of rc and dc only: choose one of them, or leave out"
            + " --connection");
    require(
        connection.isReliable() || !port.lossy(),
        "the network of this device may lose messages, which stay lost over %s: choose a reliable"
                .formatted(connection)
            + " --connection");
    require(
        !sharedReceives || operation == PerfOperation.SEND,
        "%s does not receive messages: leave out --srq".formatted(operation));
    require(
        !sharedReceives || connection != ConnectionKind.XRC,
        "xrc receives from shared receive queues anyway: leave out --srq");
  }

  private void checkOperation(PerfOperation operation) {
    if (operation.isAtomic()) {
      boolean isOther = all || size != null && size != Long.BYTES;
      require(!isOther, "%s works on 8 bytes: leave out --size and --all".formatted(operation));
    }
    if (operation == PerfOperation.ECHO) {
      require(!bidirectional, "echo goes both ways already: leave out --bidirectional");
      require(queuePairs == 1, "echo uses one connection: leave out --qp");
    }
    require(
        inline == 0 || operation.sendsData(),
        "%s can't send inline data: leave out --inline".formatted(operation));
  }

  /**
   * Checks the options for a measurement between two processes.
   *
   * @throws IllegalArgumentException when two processes can't do what they ask for
   */
  void checkPeers(PerfOperation operation) {
    require(
        operation.isOfTwo(),
        "%s is measured within one process: leave out --server and --client".formatted(operation));
    require(!bidirectional, "two processes measure one direction: leave out --bidirectional");
    require(!sharedReceives, "--srq is for one process only: leave it out");
  }

  /**
   * Checks options.
   *
   * @param rule the rule that the options break if the condition is false, and the remedy
   * @throws IllegalArgumentException if they break it
   */
  static void require(boolean condition, String rule) {
    if (!condition) {
      throw new IllegalArgumentException(rule);
    }
  }
}
