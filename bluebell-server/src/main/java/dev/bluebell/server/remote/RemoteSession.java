package dev.bluebell.server.remote;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.server.Account;
import dev.bluebell.server.Client;
import dev.bluebell.server.ClientUid;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.MeteredHca;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.server.remote.Message.Request;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The session of one client: executes its requests, and frees its objects at the end. Does not
 * trust any message.
 */
final class RemoteSession {
  private static final Logger LOGGER = System.getLogger("dev.bluebell.server.remote");

  private final Hca hca;
  private final HcaHosting hosting;
  private final Residents residents;
  private final Client client;
  private final Replies replies;
  private final ClientProcess foreign;
  private final OwnObjects objects;
  private final OwnDiagnosis diagnosis;
  private final SharedRegions regions;
  private final Holdings holdings;
  private final UarPages uarPages;
  private final Set<HcaUar> pages = new HashSet<>();
  private final SessionEvents events;

  /** Number of registrations of the client's own memory, which ends with the client. */
  private int borrowed;

  /** True once the holdings belong to a resident, and no longer to this session. */
  private boolean handedOver;

  RemoteSession(Hca device, Client client, Observers observers, Residents residents) {
    this.client = client;
    this.residents = residents;
    Account account = client.account();
    WatchedProcess process = client.process();
    // The device may fail. The uid is taken after that, because only close() returns it.
    Hca metered = new MeteredHca(device, account);
    replies = new Replies(client.connection());
    events = new SessionEvents(metered, client, replies);
    ClientUid uid = ClientUid.take();
    ObservedClient observed = new ObservedClient(metered, observers, process, uid);
    hca = observed;
    hosting = RemoteService.hosting(hca);
    foreign = new ClientProcess(process);
    objects = new OwnObjects(account);
    diagnosis = new OwnDiagnosis(observers, hosting, objects);
    observed.attach(diagnosis.token());
    regions = new SharedRegions(account);
    holdings = new Holdings(process, uid, objects, regions, diagnosis);
    uarPages = new UarPages(account);
  }

  /** Serves the client until it hangs up or ends. */
  void serve() throws IOException {
    LocalSocket socket = client.connection();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment in = arena.allocate(Message.MAX_BYTES);
      greet(Message.received(in, socket.next(in)));
      for (int bytes = socket.next(in); bytes > 0; bytes = socket.next(in)) {
        answer(Message.received(in, bytes));
      }
    }
  }

  private void greet(Message hello) throws IOException {
    long word = hello.takeLong();
    int version = hello.takeInt();
    if (word != Message.HELLO || version != Message.VERSION) {
      replies.illegal(
          "the device process speaks version %d and this process version %d: run both from one build"
              .formatted(Message.VERSION, version));
      throw new Message.Malformed("a client of version %d was disconnected".formatted(version));
    }
    replies.send(
        Message.done()
            .put(hca.completionVectors())
            .put(hca.identity().part())
            .put(hca.identity().firmware())
            .put(hca.identity().board())
            .put(hca.diagnosis().isPresent() ? 1 : 0));
  }

  private void answer(Message message) throws IOException {
    Request request = message.takeKind(Request.class);
    try {
      execute(request, message);
    } catch (HcaException refusal) {
      LOGGER.log(Level.DEBUG, refusal.getMessage());
      replies.refused(refusal);
    } catch (IllegalArgumentException illegal) {
      LOGGER.log(Level.DEBUG, illegal.getMessage());
      replies.illegal(String.valueOf(illegal.getMessage()));
    } catch (Message.Malformed malformed) {
      throw malformed;
    } catch (RuntimeException defect) {
      client.log().log(Level.ERROR, "a request of a client failed in the device process", defect);
      replies.refused(Connection.failure("the device process failed; its log says why"));
    }
  }

  private void execute(Request request, Message in) throws IOException {
    if (handedOver) {
      throw new IllegalArgumentException(
          "this process has handed over its objects; open the device again");
    }
    switch (request) {
      case CREATE -> create(in.takeBytes());
      case ALLOCATE_DOMAIN -> {
        objects.requireRoom(request.name());
        created(ObjectKind.PROTECTION_DOMAIN, hca.allocateProtectionDomain());
      }
      case EXECUTE -> replies.send(Message.done().put(hca.execute(in.takeBytes())));
      case MODIFY -> modify(in.takeInt(), in.takeBytes());
      case QUERY ->
          replies.send(Message.done().put(objects.object(in.takeInt()).query(in.takeBytes())));
      case DESTROY -> destroy(in.takeInt());
      case ALLOCATE_UAR -> allocateUar();
      case ALLOCATE_DEVICE_MEMORY -> allocateDeviceMemory(in);
      case ALLOCATE_MEMORY -> allocateMemory(in.takeLong());
      case FREE_MEMORY -> {
        regions.giveBack(in.takeInt());
        replies.done();
      }
      case REGISTER_UMEM -> registerUmem(in.takeInt(), in.takeLong(), in.takeLong());
      case REGISTER_SHARED -> registerShared(in);
      case REGISTER_FOREIGN -> registerForeign(in);
      case EVENT_QUEUE -> replies.send(Message.done().put(hca.eventQueueNumber(in.takeInt())));
      case RESOLVE -> resolve(in);
      case PORT -> queryPort(in.takeInt());
      case GID -> {
        Gid gid = hca.queryGid(in.takeInt(), in.takeInt());
        replies.send(Message.done().put(gid.high()).put(gid.low()));
      }
      case CLOCK -> replies.send(Message.done().put(hca.clock()));
      case SUBSCRIBE -> subscribe(in);
      case CLOSE_CHANNEL -> {
        events.closeChannel(in.takeInt());
        replies.done();
      }
      case EXPLAIN ->
          replies.send(Message.done().put(diagnosis.explain(in.takeInt(), in.takeInt())));
      case EXPLANATIONS -> replies.send(Message.done().put(diagnosis.explanations()));
      case FLIGHT_RECORD -> replies.send(Message.done().putHappenings(diagnosis.happenings()));
      case OBJECTS -> replies.send(Message.done().put(diagnosis.lines()));
      case TRACE -> {
        diagnosis.trace(in.takeInt() != 0);
        replies.done();
      }
      case HAND_OVER -> handOver(in.takeString(), in.takeString());
      case RESIDENTS -> replies.send(residents.put(Message.done()));
      case REMOVE_RESIDENT -> removeResident(in.takeString(), in.takeLong(), in.takeInt() != 0);
      case NOTICE -> replies.send(Message.done().put(residents.notice(in.takeString())));
      case JOIN_RESIDENT -> {
        residents.join(in.takeString(), in.takeInt(), in.takeBytes(), in.takeBytes());
        replies.done();
      }
      case DIAGNOSE_RESIDENT ->
          replies.send(Message.done().put(residents.diagnose(in.takeString(), in.takeLong())));
    }
  }

  private void handOver(String name, String notice) throws IOException {
    if (borrowed > 0) {
      throw Connection.failure(
          "%d regions are memory of this process, which ends with it; register memory of ProtectionDomain.allocate"
              .formatted(borrowed));
    }
    // Not under the lock of all residents: it waits for the device once for each queue pair.
    boolean traced = diagnosis.trace(false);
    // Others may remove the resident, and its pages, as soon as they can find it.
    List<HcaUar> own = List.copyOf(pages);
    long token;
    try {
      token = residents.add(name, notice, holdings);
    } catch (RuntimeException refused) {
      boolean unused = diagnosis.trace(traced);
      throw refused;
    }
    handedOver = true;
    own.forEach(HcaUar::silence);
    replies.send(Message.done().put(token));
  }

  private void removeResident(String name, long token, boolean force) throws IOException {
    int owner = residents.remove(name, token, force);
    if (force) {
      client.log().log(
          Level.WARNING,
          "process %d removed resident %s of process %d by force"
              .formatted(client.process().pid(), name, owner));
    }
    replies.done();
  }

  // ---- objects

  private void create(byte[] command) throws IOException {
    ObjectKind kind = objects.checkCreation(command);
    objects.requireRoom("create");
    created(kind, hca.create(command));
  }

  private void created(ObjectKind kind, HcaObject object) throws IOException {
    int handle = objects.add(kind, object);
    diagnosis.created(kind, object.number());
    replies.send(Message.done().put(handle).put(object.number()).put(object.output()));
  }

  private void modify(int handle, byte[] command) throws IOException {
    HcaObject object = objects.object(handle);
    objects.checkNames(command);
    replies.send(Message.done().put(object.modify(command)));
  }

  private void destroy(int handle) throws IOException {
    OwnObjects.Held gone = objects.destroy(handle);
    diagnosis.destroyed(gone.kind(), gone.number());
    events.forget(handle);
    replies.done();
  }

  private void subscribe(Message in) throws IOException {
    int channel = in.takeInt();
    int handle = in.takeInt();
    int type = in.takeInt();
    long cookie = in.takeLong();
    HcaObject object = handle == 0 ? null : objects.source(handle, type);
    events.subscribe(channel, handle, object, type, cookie);
    replies.done();
  }

  // ---- memory and registers

  /** Makes an object of the device; when that fails, frees what was taken for it. */
  private static <T> T made(Supplier<T> maker, OwnObjects.Ending taken) throws IOException {
    try {
      return maker.get();
    } catch (RuntimeException | Error e) {
      taken.end();
      throw e;
    }
  }

  private void allocateUar() throws IOException {
    objects.requireRoom("allocateUar");
    UarPages.Page memory = uarPages.take();
    HcaUar page = made(() -> hosting.allocateUar(memory.segment()), memory::give);
    int handle =
        objects.add(
            ObjectKind.UAR_PAGE,
            page.number(),
            page::close,
            () -> {
              pages.remove(page);
              memory.give();
            });
    pages.add(page);
    replies.sendShared(
        Message.done().put(handle).put(page.number()).put(memory.offset()), memory.memory());
  }

  private void allocateDeviceMemory(Message in) throws IOException {
    objects.requireRoom("allocateDeviceMemory");
    int number = in.takeInt();
    MemorySegment window = regions.use(number, in.takeLong(), in.takeLong());
    OwnObjects.Ending release = () -> regions.release(number);
    HcaObject memory = made(() -> hca.allocateDeviceMemory(in.takeBytes(), window), release);
    int handle = objects.add(ObjectKind.DEVICE_MEMORY, memory.number(), memory::close, release);
    replies.send(Message.done().put(handle).put(memory.number()).put(memory.output()));
  }

  private void allocateMemory(long bytes) throws IOException {
    int number = regions.allocate(bytes);
    replies.send(Message.done().put(number), regions.memory(number));
  }

  private void registerUmem(int number, long offset, long bytes) throws IOException {
    objects.requireRoom("registerUmem");
    MemorySegment range = regions.use(number, offset, bytes);
    OwnObjects.Ending release = () -> regions.release(number);
    HcaUmem umem = made(() -> hca.registerUmem(range), release);
    int handle = objects.add(ObjectKind.UMEM, umem.number(), umem::close, release);
    replies.send(Message.done().put(handle).put(umem.number()));
  }

  private void registerShared(Message in) throws IOException {
    objects.requireRoom("registerMemory");
    int number = in.takeInt();
    long offset = in.takeLong();
    long bytes = in.takeLong();
    HcaObject domain = objects.object(in.takeInt());
    long address = in.takeLong();
    int access = in.takeInt();
    MemorySegment range = regions.use(number, offset, bytes);
    OwnObjects.Ending release = () -> regions.release(number);
    registered(made(() -> hca.registerMemory(domain, range, address, access), release), release);
  }

  private void registerForeign(Message in) throws IOException {
    objects.requireRoom("registerMemory");
    long from = in.takeLong();
    long bytes = in.takeLong();
    HcaObject domain = objects.object(in.takeInt());
    foreign.requireReachable(from, bytes);
    HcaMemory memory =
        hosting.registerMemory(domain, foreign.payload(), from, bytes, in.takeLong(), in.takeInt());
    borrowed++;
    registered(memory, () -> borrowed--);
  }

  private void registered(HcaMemory memory, OwnObjects.Ending then) throws IOException {
    int handle = objects.add(ObjectKind.MEMORY_KEY, memory.lkey() >>> 8, memory::close, then);
    replies.send(Message.done().put(handle).put(memory.lkey()).put(memory.rkey()));
  }

  // ---- ports and paths

  private void resolve(Message in) throws IOException {
    HcaPath path = hca.resolve(in.takeInt(), in.takeInt(), new Gid(in.takeLong(), in.takeLong()));
    replies.send(
        Message.done()
            .put(path.mac())
            .put(path.lid())
            .put(path.hopLimit())
            .put(path.udpSourcePort()));
  }

  private void queryPort(int number) throws IOException {
    HcaPort port = hca.queryPort(number);
    replies.send(
        Message.done()
            .put(port.number())
            .put(port.linkLayer().ordinal())
            .put(port.active() ? 1 : 0)
            .put(port.activeMtu())
            .put(port.maxMtu())
            .put(port.gidTableLength())
            .put(port.pkeyTableLength())
            .put(port.mac())
            .put(port.lid())
            .put(port.lmc())
            .put(port.smLid())
            .put(port.speedMbps())
            .put(port.globalRouteRequired() ? 1 : 0));
  }

  /**
   * Frees the client's remaining objects, then hangs up, by which the client sees that they are
   * freed.
   */
  void close() throws IOException {
    try {
      if (!handedOver) {
        holdings.close();
      }
    } finally {
      client.connection().shutdown();
      events.close();
    }
  }
}
