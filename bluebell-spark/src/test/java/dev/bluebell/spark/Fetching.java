package dev.bluebell.spark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.internal.config.package$;
import org.apache.spark.network.BlockDataManager;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.netty.NettyBlockTransferService;
import org.apache.spark.network.netty.SparkTransportConf;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.ShuffleBlockId;
import scala.Option;

/**
 * Compares Spark's own transfer with RDMA without jobs: clients fetch blocks of 16 MB from another
 * process, one after the other, as those of Spark's {@code NettyTransportBenchmark} do. Arguments:
 * the number of rounds, and the blocks of a round.
 */
final class Fetching {
  private static final int BLOCK_BYTES = 16 << 20;
  private static final int BLOCKS = 8;
  private static final String HOST = "127.0.0.1";
  private static final int CORES = 2;

  private Fetching() {}

  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[0]);
    int blocks = Integer.parseInt(arguments[1]);
    Path folder = Files.createTempDirectory("bluebell-spark");
    try (DeviceProcess device = new DeviceProcess(folder);
        Writer writer = new Writer(folder, device.device())) {
      for (int clients : List.of(1, 4)) {
        List<Client> spark = new ArrayList<>();
        List<Client> rdma = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
          spark.add(Client.bySpark(writer.port));
          rdma.add(Client.byRdma(writer.port, device.device()));
        }
        compare(rounds, blocks, spark, rdma, writer, device);
        spark.forEach(Client::close);
        rdma.forEach(Client::close);
      }
    }
  }

  private static void compare(
      int rounds,
      int blocks,
      List<Client> spark,
      List<Client> rdma,
      Writer writer,
      DeviceProcess device) {
    List<List<long[]>> costs = List.of(new ArrayList<>(), new ArrayList<>());
    double load = load();
    // The first round warms up.
    for (int round = -1; round < rounds; round++) {
      for (int turn = 0; turn < 2; turn++) {
        int which = (round & 1) ^ turn;
        long[] cost = fetch(which == 0 ? spark : rdma, blocks, writer, device);
        if (round >= 0) {
          costs.get(which).add(cost);
        }
      }
    }
    for (int which = 0; which < 2; which++) {
      long[] medians = new long[4];
      for (int part = 0; part < medians.length; part++) {
        int of = part;
        medians[part] =
            costs.get(which).stream().mapToLong(cost -> cost[of]).sorted().toArray()[rounds / 2];
      }
      System.out.printf(
          Locale.ROOT,
          "%d clients, %s: %.2f GB/s; for each GB, CPU time of the reader %d ms, of the writer %d"
              + " ms, of the device %d ms%n",
          spark.size(),
          which == 0 ? "spark" : "rdma",
          (double) blocks * BLOCK_BYTES / medians[0],
          perGigabyte(medians[1], blocks),
          perGigabyte(medians[2], blocks),
          perGigabyte(medians[3], blocks));
    }
    System.out.printf(Locale.ROOT, "load average %.1f to %.1f%n", load, load());
  }

  private static long perGigabyte(long nanos, int blocks) {
    return nanos * 1000 / blocks / BLOCK_BYTES;
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  /** Wall time, and CPU time of reader, writer and device, in nanoseconds. */
  private static long[] fetch(
      List<Client> clients, int blocks, Writer writer, DeviceProcess device) {
    long[] before = cpu(writer, device);
    long start = System.nanoTime();
    List<CompletableFuture<Void>> all =
        clients.stream()
            .map(
                client ->
                    CompletableFuture.runAsync(
                        () -> client.fetch(blocks / clients.size()),
                        task -> Thread.ofPlatform().start(task)))
            .toList();
    all.forEach(CompletableFuture::join);
    long[] cost = cpu(writer, device);
    Arrays.setAll(cost, part -> cost[part] - before[part]);
    cost[0] = System.nanoTime() - start;
    return cost;
  }

  private static long[] cpu(Writer writer, DeviceProcess device) {
    return new long[] {
      0,
      ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos(),
      writer.process.info().totalCpuDuration().orElseThrow().toNanos(),
      device.cpu().toNanos()
    };
  }

  private static SparkConf conf() {
    return new SparkConf(false)
        .set("spark.app.id", "fetching")
        .set("spark.shuffle.io.preferDirectBufs", "true");
  }

  /** Spark's own transfer, which serves the blocks of a manager. */
  private static NettyBlockTransferService transfer(BlockDataManager blocks) {
    SparkConf conf = conf();
    NettyBlockTransferService service =
        new NettyBlockTransferService(
            conf,
            new SecurityManager(conf, Option.empty(), package$.MODULE$.AUTH_SECRET_FILE()),
            new SerializerManager(new JavaSerializer(conf), conf),
            HOST,
            HOST,
            0,
            CORES,
            null);
    service.init(blocks);
    return service;
  }

  private static BlockDataManager blocks(Function<Object, ManagedBuffer> get) {
    return (BlockDataManager)
        Proxy.newProxyInstance(
            Fetching.class.getClassLoader(),
            new Class<?>[] {BlockDataManager.class},
            (proxy, method, arguments) ->
                method.getName().equals("getLocalBlockData") ? get.apply(arguments[0]) : null);
  }

  private static Settings settings(String device) {
    return Settings.of(conf().set("spark.bluebell.device", device));
  }

  /** The process that has the blocks. */
  private static final class Writer implements AutoCloseable {
    private final Process process;
    private final int port;

    Writer(Path folder, String device) throws IOException {
      List<String> command = new ArrayList<>(List.of(LocalCluster.java()));
      command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
      command.addAll(
          List.of(
              "-cp",
              System.getProperty("java.class.path"),
              Serving.class.getName(),
              folder.toString(),
              device));
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      port = new Scanner(process.inputReader()).nextInt();
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }

  /** The main class of the process that serves the blocks. */
  static final class Serving {
    private Serving() {}

    public static void main(String[] arguments) throws IOException {
      Path file = Path.of(arguments[0], "shuffle.data");
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
        for (int i = 0; i < BLOCKS; i++) {
          block.clear();
          while (block.hasRemaining()) {
            block.putLong(i);
          }
          channel.write(block.flip());
        }
      }
      SparkConf conf = conf();
      CompletableFuture<Endpoint> endpoint = new CompletableFuture<>();
      NettyBlockTransferService service =
          transfer(
              blocks(
                  id ->
                      id.equals(Endpoint.BLOCK)
                          ? new NioManagedBuffer(endpoint.join().bytes())
                          : segment(conf, file, ((ShuffleBlockId) id).reduceId())));
      ShuffleNode node =
          ShuffleNode.open(
              settings(arguments[1]),
              HOST,
              new ShuffleCounters(),
              block -> segment(conf, file, block.firstPartition()));
      endpoint.complete(node.endpoint());
      System.out.println(service.port());
      while (System.in.read() >= 0) {
        // It ends with the other process.
      }
      System.exit(0);
    }

    private static FileSegmentManagedBuffer segment(SparkConf conf, Path file, int block) {
      return new FileSegmentManagedBuffer(
          SparkTransportConf.fromSparkConf(conf, "shuffle", CORES, Option.empty(), Option.empty()),
          file.toFile(),
          (long) block * BLOCK_BYTES,
          BLOCK_BYTES);
    }
  }

  /** Fetches blocks one after the other, on a connection of its own. */
  private record Client(BlockStoreClient client, int port, Runnable closing) {
    static Client bySpark(int port) {
      NettyBlockTransferService service = transfer(blocks(id -> null));
      return new Client(service, port, service::close);
    }

    static Client byRdma(int port, String device) throws IOException {
      NettyBlockTransferService service = transfer(blocks(id -> null));
      ShuffleNode node =
          ShuffleNode.open(
              settings(device),
              HOST,
              new ShuffleCounters(),
              block -> {
                throw new IllegalStateException("it has no blocks");
              });
      return new Client(
          new RdmaBlockClient(node, service),
          port,
          () -> {
            node.close();
            service.close();
          });
    }

    void close() {
      closing.run();
    }

    void fetch(int count) {
      for (int i = 0; i < count; i++) {
        int block = i % BLOCKS;
        CompletableFuture<Void> done = new CompletableFuture<>();
        client.fetchBlocks(
            HOST,
            port,
            "writer",
            new String[] {new ShuffleBlockId(0, 0, block).name()},
            new BlockFetchingListener() {
              @Override
              public void onBlockFetchSuccess(String id, ManagedBuffer data) {
                try {
                  ByteBuffer bytes = data.nioByteBuffer();
                  if (bytes.remaining() != BLOCK_BYTES
                      || bytes.getLong(bytes.position()) != block
                      || bytes.getLong(bytes.limit() - Long.BYTES) != block) {
                    throw new IOException("block %d has other contents".formatted(block));
                  }
                  done.complete(null);
                } catch (IOException e) {
                  done.completeExceptionally(e);
                }
              }

              @Override
              public void onBlockFetchFailure(String id, Throwable cause) {
                done.completeExceptionally(cause);
              }
            },
            null);
        done.join();
      }
    }
  }
}
