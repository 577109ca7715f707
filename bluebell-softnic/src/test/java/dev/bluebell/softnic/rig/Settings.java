package dev.bluebell.softnic.rig;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.structure.View;
import org.jspecify.annotations.Nullable;

/** The attributes of a connection, and the commands that set them. */
public final class Settings {
  private boolean read = true;
  private boolean write = true;
  private boolean atomic = true;
  private int atomicMode = 4;
  private int mtu = 5;
  private int logMessage = 30;
  private int timeout = 14;
  private int retryCount = 7;
  private int rnrRetry = 7;
  private int minRnrTimer = 1;
  private int logReads = 4;
  private int logServed = 4;
  private int logAsked;
  private int sendPsn = 0x1000;
  private int receivePsn = 0x1000;
  private int qkey = 0x11111111;
  private int ordering;
  private boolean orderingForced;
  private Gid remote = Addresses.gid(Addresses.LINK_LOCAL);
  private int source = Addresses.LINK_LOCAL;
  private long mac = Addresses.PORT.mac();
  private int partition;
  private int trafficClass;
  private int hopLimit = 64;
  private int flowLabel;
  private @Nullable InfiniBandWay way;

  public Settings rights(boolean mayRead, boolean mayWrite, boolean mayAtomic) {
    read = mayRead;
    write = mayWrite;
    atomic = mayAtomic;
    return this;
  }

  /** atomic_mode: 4 allows masked atomics of up to 16 bytes, 1 none. */
  public Settings atomicMode(int mode) {
    atomicMode = mode;
    return this;
  }

  /** Code: 1 for 256 bytes … 5 for 4096. */
  public Settings mtu(int code) {
    mtu = code;
    return this;
  }

  /** log_msg_max: log2 of the bytes of the longest message to send. */
  public Settings logMessage(int log) {
    logMessage = log;
    return this;
  }

  public Settings timeout(int code) {
    timeout = code;
    return this;
  }

  public Settings retryCount(int count) {
    retryCount = count;
    return this;
  }

  public Settings rnrRetry(int count) {
    rnrRetry = count;
    return this;
  }

  public Settings minRnrTimer(int code) {
    minRnrTimer = code;
    return this;
  }

  /** Base-2 logarithms of the outstanding READs as requester and as responder. */
  public Settings reads(int logAsked, int logGiven) {
    logReads = logAsked;
    logServed = logGiven;
    return this;
  }

  /** Base-2 logarithm of the packets after which an ACK is requested even within a message. */
  public Settings asksAfter(int log) {
    logAsked = log;
    return this;
  }

  public Settings psn(int send, int receive) {
    sendPsn = send;
    receivePsn = receive;
    return this;
  }

  /**
   * The order of payload placement.
   *
   * @param semantics dp_ordering: 0 in order, 1 READs and WRITEs out of order, 2 all
   */
  public Settings ordering(int semantics, boolean forced) {
    ordering = semantics;
    orderingForced = forced;
    return this;
  }

  /** Queue key of datagrams. */
  public Settings qkey(int key) {
    qkey = key;
    return this;
  }

  public Settings remote(Gid gid) {
    remote = gid;
    return this;
  }

  /** Entry of the GID table. */
  public Settings source(int gidIndex) {
    source = gidIndex;
    return this;
  }

  /** Ethernet address of the peer. */
  public Settings mac(long address) {
    mac = address;
    return this;
  }

  /** Fields of the IP header. */
  public Settings header(int trafficClassOfPackets, int limit, int label) {
    trafficClass = trafficClassOfPackets;
    hopLimit = limit;
    flowLabel = label;
    return this;
  }

  /** Index of the partition key. */
  public Settings partition(int index) {
    partition = index;
    return this;
  }

  /** The path to a peer over InfiniBand, in place of its GID and Ethernet address. */
  public Settings way(InfiniBandWay toPeer) {
    way = toPeer;
    return this;
  }

  public View toInit(int qpn) {
    View command =
        View.command(Rst2initQpIn.STRUCTURE, CommandOpcode.RST2INIT_QP).set(Rst2initQpIn.QPN, qpn);
    View qpc = command.at(Rst2initQpIn.QPC);
    qpc.set(Qpc.RRE, read).set(Qpc.RWE, write).set(Qpc.RAE, atomic).set(Qpc.Q_KEY, qkey);
    qpc.set(Qpc.ATOMIC_MODE, atomicMode);
    qpc.at(Qpc.PRIMARY_ADDRESS_PATH).set(Ads.VHCA_PORT_NUM, 1).set(Ads.PKEY_INDEX, partition);
    return command;
  }

  public View toRtr(int qpn, int remoteQpn) {
    View command =
        View.command(Init2rtrQpIn.STRUCTURE, CommandOpcode.INIT2RTR_QP).set(Init2rtrQpIn.QPN, qpn);
    View qpc = command.at(Init2rtrQpIn.QPC);
    qpc.set(Qpc.MTU, mtu)
        .set(Qpc.LOG_MSG_MAX, logMessage)
        .set(Qpc.REMOTE_QPN, remoteQpn)
        .set(Qpc.NEXT_RCV_PSN, receivePsn)
        .set(Qpc.LOG_RRA_MAX, logServed)
        .set(Qpc.MIN_RNR_NAK, minRnrTimer)
        .set(Qpc.DP_ORDERING_0, ordering & 1)
        .set(Qpc.DP_ORDERING_1, ordering >> 1)
        .set(Qpc.DP_ORDERING_FORCE, orderingForced);
    View path =
        qpc.at(Qpc.PRIMARY_ADDRESS_PATH)
            .set(Ads.VHCA_PORT_NUM, 1)
            .set(Ads.TCLASS, trafficClass)
            .set(Ads.HOP_LIMIT, hopLimit)
            .set(Ads.FLOW_LABEL, flowLabel);
    if (way != null) {
      way.put(path);
      return command;
    }
    path.set(Ads.SRC_ADDR_INDEX, source)
        .set(Ads.RMAC_47_32, mac >>> 32)
        .set(Ads.RMAC_31_0, mac & 0xffffffffL)
        .setBytes(Ads.RGID_RIP, remote.bytes());
    return command;
  }

  public View toRts(int qpn) {
    View command =
        View.command(Rtr2rtsQpIn.STRUCTURE, CommandOpcode.RTR2RTS_QP).set(Rtr2rtsQpIn.QPN, qpn);
    View qpc = command.at(Rtr2rtsQpIn.QPC);
    qpc.set(Qpc.NEXT_SEND_PSN, sendPsn)
        .set(Qpc.LOG_SRA_MAX, logReads)
        .set(Qpc.RETRY_COUNT, retryCount)
        .set(Qpc.RNR_RETRY, rnrRetry)
        .set(Qpc.LOG_ACK_REQ_FREQ, logAsked)
        .at(Qpc.PRIMARY_ADDRESS_PATH)
        .set(Ads.ACK_TIMEOUT, timeout);
    return command;
  }
}
