package dev.bluebell.lab.rxe;

import dev.bluebell.hca.Gid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The end in the virtual machine, on Soft-RoCE. */
final class GuestEnd implements End {
  private static final int PATIENCE_MILLIS = 10_000;

  private final Guest guest;
  private final Gid gid;
  private final Gid peer;
  private final long region;
  private final long address;
  private final int rkey;
  private final long index;
  private final int qpn;

  // Destination in requests, for datagrams.
  private String destination = "";

  GuestEnd(Guest guest, Network network, Service service) {
    gid = network.guest();
    peer = network.own();
    this.guest = guest;
    long[] memory = guest.numbers("mr bytes=%d", MEMORY);
    region = memory[0];
    address = memory[1];
    rkey = (int) memory[2];
    long[] queue = guest.numbers("qp type=%s", service.word());
    index = queue[0];
    qpn = (int) queue[1];
  }

  int qpn() {
    return qpn;
  }

  /** Connects; for datagrams, creates the address handle. */
  void connect(Settings settings, int peerQpn, int qkey) {
    int mtu = Integer.numberOfTrailingZeros(settings.mtu()) - 7;
    String unused =
        guest.call(
            "up q=%d gid=%s peer=%s qpn=%d mtu=%d psn=%d expect=%d timeout=%d retry=%d rnr=%d"
                + " delay=12 rdatom=4 qkey=%d",
            index,
            gid,
            peer,
            peerQpn,
            mtu,
            settings.firstPsn(),
            settings.firstPsn(),
            settings.timeout(),
            settings.retries(),
            settings.rnrRetries(),
            qkey);
    if (settings.service() == Service.UD) {
      long handle = guest.numbers("ah gid=%s peer=%s", gid, peer)[0];
      destination = " ah=%d qpn=%d qkey=%d".formatted(handle, peerQpn, qkey);
    }
  }

  @Override
  public String name() {
    return "Soft-RoCE";
  }

  @Override
  public Gid gid() {
    return gid;
  }

  @Override
  public long address(int offset) {
    return address + offset;
  }

  @Override
  public int rkey() {
    return rkey;
  }

  @Override
  public void receive(long id, int offset, int bytes) {
    String unused =
        guest.call("recv q=%d id=%d mr=%d off=%d len=%d", index, id, region, offset, bytes);
  }

  @Override
  public void post(long id, Verb verb, int offset, int bytes, long remote, int key, int immediate) {
    String unused =
        guest.call(
            "post q=%d id=%d op=%s mr=%d off=%d len=%d addr=%s rkey=%s imm=%s%s",
            index,
            id,
            verb.name().toLowerCase(Locale.ROOT),
            region,
            offset,
            bytes,
            Long.toUnsignedString(remote),
            Integer.toUnsignedString(key),
            Integer.toUnsignedString(immediate),
            destination);
  }

  @Override
  public void fetchAndAdd(long id, int offset, long remote, int key, long add) {
    String unused =
        guest.call(
            "post q=%d id=%d op=add mr=%d off=%d len=8 addr=%s rkey=%s add=%s",
            index,
            id,
            region,
            offset,
            Long.toUnsignedString(remote),
            Integer.toUnsignedString(key),
            Long.toUnsignedString(add));
  }

  @Override
  public void compareAndSwap(long id, int offset, long remote, int key, long compare, long swap) {
    String unused =
        guest.call(
            "post q=%d id=%d op=cas mr=%d off=%d len=8 addr=%s rkey=%s compare=%s swap=%s",
            index,
            id,
            region,
            offset,
            Long.toUnsignedString(remote),
            Integer.toUnsignedString(key),
            Long.toUnsignedString(compare),
            Long.toUnsignedString(swap));
  }

  @Override
  public List<Done> await(int count) {
    String answer = guest.call("poll n=%d ms=%d", count, PATIENCE_MILLIS);
    List<Done> done = new ArrayList<>();
    for (String word : answer.isEmpty() ? new String[0] : answer.split(" ", -1)) {
      done.add(Done.parse(word));
    }
    if (done.size() != count) {
      throw new Disagreement(
          "Soft-RoCE has %d of %d completions: %s".formatted(done.size(), count, answer));
    }
    return done;
  }

  @Override
  public void fill(int offset, int bytes, long seed) {
    String unused = guest.call("fill mr=%d off=%d len=%d seed=%d", region, offset, bytes, seed);
  }

  @Override
  public String differs(int offset, int bytes, long seed) {
    String answer = guest.call("check mr=%d off=%d len=%d seed=%d", region, offset, bytes, seed);
    return answer.equals("same") ? "" : answer;
  }

  @Override
  public long get(int offset) {
    return guest.numbers("get mr=%d off=%d", region, offset)[0];
  }

  @Override
  public void put(int offset, long value) {
    String unused =
        guest.call("put mr=%d off=%d value=%s", region, offset, Long.toUnsignedString(value));
  }
}
