package dev.bluebell.lab.compare;

import dev.bluebell.lab.compare.Comparison.Call;
import dev.bluebell.lab.compare.Comparison.Way;
import dev.bluebell.program.Data;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.install.Chain;
import dev.bluebell.program.install.Client;
import dev.bluebell.program.install.Installation;
import dev.bluebell.program.offload.ChainWrite;
import dev.bluebell.program.offload.ChainWrite.Link;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/**
 * Writes values to several replicas in three ways, and checks the memory of each replica when the
 * client receives its acknowledgement. The replicas are domains of one device. One thread at a
 * time.
 */
public final class ChainComparison implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int REPLICAS = 3;
  private static final int SLOTS = 4;
  private static final int VALUE_BYTES = 64;

  private final Device device;
  private final Stopwatch watch;
  private final Target target;
  private final Model model;
  private final Deque<Runnable> closings = new ArrayDeque<>();
  private final List<ProtectionDomain> replicas = new ArrayList<>();
  private final ProtectionDomain client;
  private final ChainWrite chain = new ChainWrite(REPLICAS, SLOTS, VALUE_BYTES);

  public ChainComparison(Device device, boolean byDeviceClock, Target target, Model model) {
    this.device = device;
    watch = new Stopwatch(device, byDeviceClock);
    this.target = target;
    this.model = model;
    for (int i = 0; i < REPLICAS; i++) {
      replicas.add(domain());
    }
    client = domain();
  }

  private ProtectionDomain domain() {
    ProtectionDomain made = device.allocateProtectionDomain();
    closings.push(made::close);
    return made;
  }

  public static int replicas() {
    return REPLICAS;
  }

  /**
   * Writes a random value.
   *
   * @throws IllegalStateException when a request fails, no acknowledgement arrives, or a replica
   *     does not have the value then
   */
  public Call call(Way way, long seed) {
    Random random = new Random(seed);
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    int offset = random.nextInt(SLOTS) * VALUE_BYTES;
    long tag = random.nextLong();
    Call made =
        switch (way) {
          case PROGRAM -> byProgram(value, offset, tag);
          case ONE_SIDED -> oneSided(value, offset, tag);
          case TWO_SIDED -> twoSided(value, offset, tag);
        };
    byte[] expected = chain.acknowledgement(value, tag);
    if (made.answers().size() != 1 || !Arrays.equals(made.answers().getFirst(), expected)) {
      throw new IllegalStateException("the answer to a write is not its acknowledgement");
    }
    return made;
  }

  /** The problem with a write; empty when there is none. */
  public Optional<String> complaint(Way way, long seed) {
    try {
      Call unused = call(way, seed);
      return Optional.empty();
    } catch (IllegalStateException wrong) {
      return Optional.of("seed %d: %s".formatted(seed, wrong.getMessage()));
    }
  }

  private Call byProgram(byte[] value, int offset, long tag) {
    List<Plan> plans =
        chain.links().stream()
            .map(link -> Compiler.compile(link.program(), target, model))
            .toList();
    List<Chain.Host> hosts =
        replicas.stream().map(domain -> new Chain.Host(device, domain)).toList();
    try (Chain installed = new Chain(new Chain.Host(device, client), hosts, plans)) {
      List<Long> places = new ArrayList<>();
      for (int i = 0; i < REPLICAS; i++) {
        places.add(place(i, installed.links().get(i).addresses(link(i).program()), offset));
      }
      byte[] message = plans.getFirst().encode(link(0).call(value, places, tag));
      long before = watch.start();
      installed.send(message);
      List<byte[]> answers = installed.await(1, PATIENCE);
      Call made = new Call(answers, watch.nanos(before, installed.answeredAt()));
      for (int i = 0; i < REPLICAS; i++) {
        Installation at = installed.links().get(i);
        byte[] table =
            at.region(plans.get(i).area(link(i).table().name()))
                .segment()
                .asSlice(offset, VALUE_BYTES)
                .toArray(ValueLayout.JAVA_BYTE);
        check(i, table, value);
      }
      return made;
    }
  }

  private Link link(int replica) {
    return chain.links().get(replica);
  }

  private long place(int replica, Map<Data, Long> addresses, int offset) {
    return Objects.requireNonNull(addresses.get(link(replica).table())) + offset;
  }

  private static void check(int replica, byte[] found, byte[] value) {
    if (!Arrays.equals(found, value)) {
      throw new IllegalStateException(
          "replica %d does not have the acknowledged value".formatted(replica));
    }
  }

  /** The client writes to one replica after the other, and reads the value back. */
  private Call oneSided(byte[] value, int offset, long tag) {
    try (Replicas tables = new Replicas()) {
      List<RemoteTables> remote = tables.remote();
      long before = watch.start();
      byte[] stored = value;
      for (int i = 0; i < REPLICAS; i++) {
        long at = place(i, tables.hosts.get(i).addresses(), offset);
        remote.get(i).write(at, value);
        stored = remote.get(i).read(at, VALUE_BYTES);
      }
      List<byte[]> answers = List.of(chain.acknowledgement(stored, tag));
      Call made = new Call(answers, watch.nanos(before, remote.getLast().answeredAt()));
      tables.check(value, offset);
      return made;
    }
  }

  /** The processor of each replica sends to the next; here, one thread acts as all of them. */
  private Call twoSided(byte[] value, int offset, long tag) {
    try (Replicas tables = new Replicas()) {
      List<Server> servers = tables.servers();
      List<Long> places = new ArrayList<>();
      for (int i = 0; i < REPLICAS; i++) {
        places.add(place(i, tables.hosts.get(i).addresses(), offset));
      }
      byte[] message = Server.message(link(0).program(), link(0).call(value, places, tag));
      try (Client writer = new Client(device, client, message.length);
          Client reader = new Client(device, client, 0);
          ServerThread thread = new ServerThread(servers)) {
        connect(servers, writer, reader);
        thread.start();
        long before = watch.start();
        writer.send(message);
        List<byte[]> answers = reader.await(1, PATIENCE);
        Call made = new Call(answers, watch.nanos(before, reader.answeredAt()));
        tables.check(value, offset);
        return made;
      }
    }
  }

  private static void connect(List<Server> servers, Client writer, Client reader) {
    writer.connect(servers.getFirst().endpoint());
    reader.connect(servers.getLast().answers());
    for (int i = 0; i < servers.size(); i++) {
      boolean last = i == servers.size() - 1;
      QueuePairEndpoint before = i == 0 ? writer.endpoint() : servers.get(i - 1).answers();
      QueuePairEndpoint behind = last ? reader.endpoint() : servers.get(i + 1).endpoint();
      servers.get(i).connect(before, behind);
    }
  }

  /** The replicas' tables without programs, and the clients and servers that access them. */
  private final class Replicas implements AutoCloseable {
    private final Deque<Runnable> made = new ArrayDeque<>();
    private final List<HostTables> hosts = new ArrayList<>();

    Replicas() {
      for (int i = 0; i < REPLICAS; i++) {
        HostTables host = new HostTables(replicas.get(i), link(i).program());
        made.push(host::close);
        hosts.add(host);
      }
    }

    List<RemoteTables> remote() {
      List<RemoteTables> remote = new ArrayList<>();
      for (int i = 0; i < REPLICAS; i++) {
        RemoteTables each = new RemoteTables(device, client, hosts.get(i), replicas.get(i));
        made.push(each::close);
        remote.add(each);
      }
      return remote;
    }

    List<Server> servers() {
      List<Server> servers = new ArrayList<>();
      for (int i = 0; i < REPLICAS; i++) {
        Link link = link(i);
        Server server =
            new Server(device, replicas.get(i), link.program(), link::forward, hosts.get(i), true);
        made.push(server::close);
        servers.add(server);
      }
      return servers;
    }

    void check(byte[] value, int offset) {
      for (int i = 0; i < REPLICAS; i++) {
        byte[] table = hosts.get(i).read(link(i).table());
        ChainComparison.check(i, Arrays.copyOfRange(table, offset, offset + VALUE_BYTES), value);
      }
    }

    @Override
    public void close() {
      while (!made.isEmpty()) {
        made.pop().run();
      }
    }
  }

  @Override
  public void close() {
    while (!closings.isEmpty()) {
      closings.pop().run();
    }
  }
}
