package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.roce.packet.Ethernet;
import java.nio.ByteBuffer;

/** The address resolution protocol (ARP) of IPv4. Source: RFC 826, and RFC 5227 for probes. */
final class Arp implements Resolution {
  private static final int ETHER_TYPE = 0x0806;
  private static final long BROADCAST = 0xffff_ffff_ffffL;

  /** Hardware type 1, protocol 0x0800, addresses of 6 and 4 bytes. */
  private static final long ETHERNET_AND_IPV4 = 0x0001_0800_0604L;

  private static final int REQUEST = 1;
  private static final int REPLY = 2;

  // Offsets in the packet behind the Ethernet header.
  private static final int OPERATION = 6;
  private static final int SENDER_MAC = 8;
  private static final int SENDER_IP = 14;
  private static final int TARGET_MAC = 18;
  private static final int TARGET_IP = 24;
  private static final int BYTES = 28;

  private final long ownMac;
  private final int ownIp;

  private long senderMac;
  private int senderIp;

  Arp(long mac, Gid own) {
    ownMac = mac;
    ownIp = (int) own.low();
  }

  @Override
  public Kind read(ByteBuffer frame, int at, int bytes) {
    if (Ethernet.TYPE.getInt(frame, at) != ETHER_TYPE) {
      return Kind.OTHER;
    }
    int packet = at + Ethernet.HEADER.bytes();
    if (at + bytes - packet < BYTES || frame.getLong(packet) >>> Short.SIZE != ETHERNET_AND_IPV4) {
      return Kind.MALFORMED;
    }
    int operation = frame.getShort(packet + OPERATION);
    senderMac = Mac.get(frame, packet + SENDER_MAC);
    senderIp = frame.getInt(packet + SENDER_IP);
    if (operation != REQUEST && operation != REPLY || !Mac.isHost(senderMac) || senderIp == ownIp) {
      return Kind.MALFORMED;
    }
    if (operation == REQUEST && frame.getInt(packet + TARGET_IP) == ownIp) {
      return Kind.QUESTION;
    }
    return Kind.STATEMENT;
  }

  @Override
  public long senderHigh() {
    return 0;
  }

  @Override
  public long senderLow() {
    return senderIp == 0 ? 0 : Gid.ofIpv4(senderIp).low();
  }

  @Override
  public long senderMac() {
    return senderMac;
  }

  @Override
  public int answer(ByteBuffer frame) {
    return write(frame, senderMac, REPLY, senderMac, senderIp);
  }

  @Override
  public int question(ByteBuffer frame, long gidHigh, long gidLow) {
    return write(frame, BROADCAST, REQUEST, 0, (int) gidLow);
  }

  private int write(ByteBuffer frame, long to, int operation, long targetMac, int targetIp) {
    Mac.header(frame, to, ownMac, ETHER_TYPE);
    int packet = Ethernet.HEADER.bytes();
    frame.putLong(packet, ETHERNET_AND_IPV4 << Short.SIZE | operation);
    Mac.put(frame, packet + SENDER_MAC, ownMac);
    frame.putInt(packet + SENDER_IP, ownIp);
    Mac.put(frame, packet + TARGET_MAC, targetMac);
    frame.putInt(packet + TARGET_IP, targetIp);
    return packet + BYTES;
  }
}
