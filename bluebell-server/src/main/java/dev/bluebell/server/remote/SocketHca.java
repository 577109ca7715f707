package dev.bluebell.server.remote;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaConnectionManager;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaIdentity;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.HcaResidents;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.server.remote.Message.Request;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A device that another process hosts. Memory of {@link #allocate} and UAR pages are shared with
 * that process; it reaches other memory by the kernel's checked copies. Traffic needs no calls,
 * because both processes map the queues. Thread-safe.
 */
final class SocketHca implements Hca {
  private final Path path;
  private final String name;
  private final Connection connection;
  private final Set<SocketConnectionManager> managers = ConcurrentHashMap.newKeySet();
  private final ClientMemory memory;
  private final ClientChannels channels = new ClientChannels();

  /** UAR pages and registered memory by handle, kept reachable while the device accesses them. */
  private final Map<Integer, MemorySegment> held = new ConcurrentHashMap<>();

  private final int completionVectors;
  private final HcaIdentity identity;
  private final @Nullable HcaDiagnosis diagnosis;

  /** Opens the device of the process that listens at a socket. */
  SocketHca(Path path) {
    this.path = path;
    name = SocketProvider.PREFIX + path;
    connection = Connection.open(path, channels);
    memory = new ClientMemory(connection);
    try {
      Message greeted = connection.call(Message.hello());
      completionVectors = greeted.takeInt();
      identity = new HcaIdentity(greeted.takeInt(), greeted.takeString(), greeted.takeString());
      diagnosis = greeted.takeInt() == 0 ? null : new SocketDiagnosis(connection);
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public HcaIdentity identity() {
    return identity;
  }

  // ---- commands

  @Override
  public HcaObject create(byte[] command) {
    return new SocketObject(connection, connection.call(Message.of(Request.CREATE).put(command)));
  }

  @Override
  public byte[] execute(byte[] command) {
    return connection.call(Message.of(Request.EXECUTE).put(command)).takeBytes();
  }

  @Override
  public HcaObject allocateProtectionDomain() {
    return new SocketObject(connection, connection.call(Message.of(Request.ALLOCATE_DOMAIN)));
  }

  // ---- memory and registers

  @Override
  public MemorySegment allocate(long bytes) {
    return memory.allocate(bytes);
  }

  @Override
  public HcaObject allocateDeviceMemory(byte[] command, MemorySegment window) {
    ClientMemory.Place place = memory.require(window);
    return new SocketObject(
        connection,
        connection.call(
            Message.of(Request.ALLOCATE_DEVICE_MEMORY)
                .put(place.number())
                .put(place.offset())
                .put(window.byteSize())
                .put(command)));
  }

  @Override
  public HcaUar allocateUar() {
    Connection.Answer answer = connection.callForMemory(Message.of(Request.ALLOCATE_UAR));
    int handle = answer.message().takeInt();
    int number = answer.message().takeInt();
    long offset = answer.message().takeLong();
    try {
      MemorySegment page =
          SharedMemory.map(answer.descriptor(), offset, SharedMemory.PAGE_BYTES, () -> {});
      return new SocketUar(handle, number, page);
    } catch (IOException e) {
      SocketObject.destroy(connection, handle);
      throw Connection.failure(e);
    }
  }

  @Override
  public HcaUmem registerUmem(MemorySegment range) {
    checkReachable(range, true);
    ClientMemory.Place place = memory.require(range);
    Message answer =
        connection.call(
            Message.of(Request.REGISTER_UMEM)
                .put(place.number())
                .put(place.offset())
                .put(range.byteSize()));
    return new SocketUmem(answer, range);
  }

  @Override
  public HcaMemory registerMemory(HcaObject domain, MemorySegment range, long address, int access) {
    checkReachable(range, (access & HcaAccess.LOCAL_WRITE) != 0);
    ClientMemory.Place place = memory.find(range);
    Message request =
        place == null
            ? Message.of(Request.REGISTER_FOREIGN).put(range.address())
            : Message.of(Request.REGISTER_SHARED).put(place.number()).put(place.offset());
    Message answer =
        connection.call(
            request
                .put(range.byteSize())
                .put(SocketObject.handleOf(connection, domain))
                .put(address)
                .put(access));
    return new SocketMemory(answer, range);
  }

  private static void checkReachable(MemorySegment range, boolean writes) {
    if (!range.isNative() || writes && range.isReadOnly()) {
      throw new IllegalArgumentException(
          "the device reaches writable native memory only, not memory on the Java heap");
    }
  }

  /** An object in the device process that no command created. */
  private abstract class Handle implements AutoCloseable {
    private final int handle;
    private boolean closed;

    Handle(int handle, MemorySegment memory) {
      this.handle = handle;
      held.put(handle, memory);
    }

    @Override
    public final synchronized void close() {
      if (!closed) {
        SocketObject.destroy(connection, handle);
        held.remove(handle);
        closed = true;
      }
    }
  }

  private final class SocketUar extends Handle implements HcaUar {
    private final int number;
    private final long address;

    SocketUar(int handle, int number, MemorySegment page) {
      super(handle, page);
      this.number = number;
      address = page.address();
    }

    @Override
    public int number() {
      return number;
    }

    @Override
    public long address() {
      return address;
    }
  }

  private final class SocketUmem extends Handle implements HcaUmem {
    private final int number;

    SocketUmem(Message answer, MemorySegment range) {
      super(answer.takeInt(), range);
      number = answer.takeInt();
    }

    @Override
    public int number() {
      return number;
    }
  }

  private final class SocketMemory extends Handle implements HcaMemory {
    private final int lkey;
    private final int rkey;

    SocketMemory(Message answer, MemorySegment range) {
      super(answer.takeInt(), range);
      lkey = answer.takeInt();
      rkey = answer.takeInt();
    }

    @Override
    public int lkey() {
      return lkey;
    }

    @Override
    public int rkey() {
      return rkey;
    }
  }

  // ---- ports, paths, events, time

  @Override
  public int eventQueueNumber(int vector) {
    return connection.call(Message.of(Request.EVENT_QUEUE).put(vector)).takeInt();
  }

  @Override
  public int completionVectors() {
    return completionVectors;
  }

  @Override
  public HcaPath resolve(int port, int gidIndex, Gid destination) {
    Message answer =
        connection.call(
            Message.of(Request.RESOLVE)
                .put(port)
                .put(gidIndex)
                .put(destination.high())
                .put(destination.low()));
    return new HcaPath(answer.takeLong(), answer.takeInt(), answer.takeInt(), answer.takeInt());
  }

  @Override
  public HcaEventChannel openEventChannel() {
    return channels.add(connection);
  }

  @Override
  public HcaPort queryPort(int port) {
    Message answer = connection.call(Message.of(Request.PORT).put(port));
    return new HcaPort(
        answer.takeInt(),
        answer.takeInt() == 0 ? LinkLayer.ETHERNET : LinkLayer.INFINIBAND,
        answer.takeInt() != 0,
        answer.takeInt(),
        answer.takeInt(),
        answer.takeInt(),
        answer.takeInt(),
        answer.takeLong(),
        answer.takeInt(),
        answer.takeInt(),
        answer.takeInt(),
        answer.takeLong(),
        answer.takeInt() != 0);
  }

  @Override
  public Gid queryGid(int port, int index) {
    Message answer = connection.call(Message.of(Request.GID).put(port).put(index));
    return new Gid(answer.takeLong(), answer.takeLong());
  }

  @Override
  public long clock() {
    return connection.call(Message.of(Request.CLOCK)).takeLong();
  }

  /**
   * Does nothing, because the device process runs the device; throws when that process has ended,
   * so no poller waits for ever.
   */
  @Override
  public int progress() {
    if (connection.isLost()) {
      throw connection.lost();
    }
    return 0;
  }

  @Override
  public Optional<HcaDiagnosis> diagnosis() {
    return Optional.ofNullable(diagnosis);
  }

  @Override
  public Optional<HcaConnectionManager> openConnectionManager() {
    SocketConnectionManager opened = SocketConnectionManager.open(path);
    managers.add(opened);
    return Optional.of(opened);
  }

  @Override
  public long handOver(String resident, String notice) {
    long token =
        connection.call(Message.of(Request.HAND_OVER).put(resident).put(notice)).takeLong();
    close();
    return token;
  }

  @Override
  public Optional<HcaResidents> residents() {
    return Optional.of(new SocketResidents(connection));
  }

  @Override
  public void close() {
    managers.forEach(SocketConnectionManager::close);
    connection.close();
  }
}
