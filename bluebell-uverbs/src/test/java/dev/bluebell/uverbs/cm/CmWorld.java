package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.hca.uverbs.CmAbi.Ece;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Quotas;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A connection manager whose clock a test steps, on a machine with addresses of the test's choice.
 */
final class CmWorld {
  static final int PRIVILEGED = 1024;
  static final Gid LINK_LOCAL = new Gid(0xfe80L << 48, 7);
  static final Gid IPV4 = Gid.ofIpv4(0x7f000001);

  static final CmPort ETHERNET =
      new CmPort(
          0x0123_4567_89ab_cdefL,
          false,
          0,
          5,
          List.of(new CmPort.Entry(1, LINK_LOCAL), new CmPort.Entry(3, IPV4)));

  private final CmPort port;
  private final Quotas quotas;
  private final Clock clock;
  final ConnectionManager manager;

  /**
   * A clock that a test steps. Actions of the same time run in the order in which they were
   * requested.
   */
  static final class Clock implements ConnectionManager.Timer {
    private final PriorityQueue<Later> later =
        new PriorityQueue<>(Comparator.comparingLong(Later::at).thenComparingLong(Later::number));

    private long now;
    private long numbers;

    private record Later(long at, long number, Runnable action) {}

    @Override
    public long now() {
      return now;
    }

    @Override
    public void after(long nanos, Runnable action) {
      later.add(new Later(now + nanos, numbers++, action));
    }

    /** Lets time pass. */
    void pass(long milliseconds) {
      long until = now + TimeUnit.MILLISECONDS.toNanos(milliseconds);
      while (!later.isEmpty() && later.peek().at <= until) {
        Later next = later.remove();
        now = next.at;
        next.action.run();
      }
      now = until;
    }
  }

  CmWorld() {
    this(Map.of(), new Random(1));
  }

  CmWorld(Map<Quota, Long> amounts, Random random) {
    this(ETHERNET, amounts, random);
  }

  CmWorld(CmPort port, Map<Quota, Long> amounts, Random random) {
    this(port, amounts, random, new Clock(), CmWorld::isLocal);
  }

  CmWorld(
      CmPort port,
      Map<Quota, Long> amounts,
      Random random,
      Clock clock,
      Predicate<InetAddress> local) {
    this.port = port;
    this.clock = clock;
    quotas = Quotas.of(amounts);
    manager = new ConnectionManager(local, PRIVILEGED, random, clock);
  }

  private static boolean isLocal(InetAddress address) {
    return address.isLoopbackAddress() || address.getHostAddress().equals("10.0.0.5");
  }

  /** Lets time pass. */
  void pass(long milliseconds) {
    clock.pass(milliseconds);
  }

  long held(Quota quota) {
    return quotas.held(quota);
  }

  /** A file of a process. */
  Party party(Object process) {
    return new Party(process);
  }

  /** A file of the connection manager, with its signal and the messages to its client. */
  final class Party {
    final List<String> heard = new ArrayList<>();
    final Account account;
    final CmFile file;
    boolean ready;
    int wakes;

    /** Calls of the kernel that show whether events are pending. */
    int signals;

    private Party(Object process) {
      account = quotas.open(process);
      CmFile.Signal signal =
          pending -> {
            ready = pending;
            signals++;
            wakes += pending ? 1 : 0;
          };
      file =
          new CmFile(
              manager, port, process, account, signal, sentence -> heard.add(sentence.get()));
    }

    CmId id(int space) {
      boolean connects = space == RdmaCm.PS_TCP || space == RdmaCm.PS_IB;
      return file.create(1000 + manager.psn(), space, connects ? Verbs.QPT_RC : Verbs.QPT_UD);
    }

    /** Reads the next event; null when there is none. */
    @Nullable View next() {
      CmEvent event = file.next();
      if (event == null) {
        return null;
      }
      file.delivered(event);
      return event.response();
    }

    /** Reads the next event, which must be of a kind. */
    View expect(CmEventType kind) {
      View event = next();
      if (event == null || event.getInt(EventResp.EVENT) != kind.number()) {
        throw new AssertionError(
            "expected %s, and there is %s"
                .formatted(kind, event == null ? "nothing" : event.get(EventResp.EVENT)));
      }
      return event;
    }

    /** Reads a request event and returns its id. */
    CmId request() {
      return file.find(expect(CmEventType.CONNECT_REQUEST).getInt(EventResp.ID));
    }

    /** An id that listens. */
    CmId listener(int space, CmAddress address) {
      CmId id = id(space);
      id.bind(address);
      id.listen(4);
      return id;
    }

    /** An id that is ready to connect. */
    CmId resolved(int space, CmAddress destination) {
      CmId id = id(space);
      id.resolve(CmAddress.NONE, destination);
      View address = expect(CmEventType.ADDR_RESOLVED);
      id.resolveRoute();
      View route = expect(CmEventType.ROUTE_RESOLVED);
      if (address.getInt(EventResp.ID) != id.number()
          || route.getInt(EventResp.ID) != id.number()) {
        throw new AssertionError("an event is of another id");
      }
      return id;
    }
  }

  static CmAddress ipv4(int address, int port) {
    byte[] bytes = new byte[16];
    bytes[0] = CmAddress.INET;
    for (int i = 0; i < 4; i++) {
      bytes[4 + i] = (byte) (address >>> 24 - 8 * i);
    }
    return CmAddress.of(bytes).withPort(port);
  }

  static Offer offer(int qpn, String data) {
    return offer(qpn, data.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  static Offer offer(int qpn, byte[] data) {
    View param =
        View.of(ConnParam.STRUCTURE)
            .set(ConnParam.QP_NUM, qpn)
            .set(ConnParam.RESPONDER_RESOURCES, 3)
            .set(ConnParam.INITIATOR_DEPTH, 5)
            .set(ConnParam.RETRY_COUNT, 200)
            .set(ConnParam.RNR_RETRY_COUNT, 6)
            .set(ConnParam.VALID, 1)
            .set(ConnParam.PRIVATE_DATA_LEN, data.length)
            .setBytes(ConnParam.PRIVATE_DATA, Arrays.copyOf(data, RdmaCm.MAX_PRIVATE_DATA));
    return new Offer(param, View.of(Ece.STRUCTURE).set(Ece.VENDOR_ID, 0x15b3).set(Ece.ATTR_MOD, 9));
  }
}
