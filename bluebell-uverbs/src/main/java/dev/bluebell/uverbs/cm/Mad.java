package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.CmMad.IpAddresses;
import dev.bluebell.roce.packet.CmMad.Message;
import dev.bluebell.roce.packet.Field;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * A datagram of the communication manager.
 *
 * @param bytes 256, by the layout of {@link CmMad}
 */
record Mad(Message message, ByteBuffer bytes) {
  private static final int SERVICES_OF_PORT_SPACES = 0xffff;
  private static final int IPV4 = 4;
  private static final int IPV6 = 6;

  /** A message whose fields are 0. */
  static Mad of(Message message, long transaction) {
    ByteBuffer bytes = ByteBuffer.allocate(CmMad.BYTES);
    message.begin(bytes, 0, transaction);
    return new Mad(message, bytes);
  }

  /** The message in a datagram; empty for anything else. */
  static Optional<Mad> of(byte[] datagram) {
    ByteBuffer bytes = ByteBuffer.wrap(datagram);
    return datagram.length == CmMad.BYTES
        ? CmMad.message(bytes, 0).map(message -> new Mad(message, bytes))
        : Optional.empty();
  }

  long transaction() {
    return CmMad.TRANSACTION.get(bytes, 0);
  }

  /** Writes a field of the body. */
  Mad set(Field field, long value) {
    field.put(bytes, CmMad.BODY, value);
    return this;
  }

  Mad setGid(Field field, Gid gid) {
    field.putHalves(bytes, CmMad.BODY, gid.high(), gid.low());
    return this;
  }

  /** Reads a field of the body, at most its low 32 bits. */
  int getInt(Field field) {
    return field.getInt(bytes, CmMad.BODY);
  }

  long get(Field field) {
    return field.get(bytes, CmMad.BODY);
  }

  Gid gid(Field field) {
    return gid(field, CmMad.BODY);
  }

  private Gid gid(Field field, int at) {
    return new Gid(field.half(bytes, at, false), field.half(bytes, at, true));
  }

  /**
   * The client's private data, with the message's fixed length.
   *
   * @param header bytes before them
   */
  byte[] data(int header) {
    return Arrays.copyOfRange(bytes.array(), message.privateDataAt() + header, CmMad.BYTES);
  }

  byte[] data() {
    return data(0);
  }

  Mad setData(byte[] data) {
    bytes.put(message.privateDataAt(), data);
    return this;
  }

  // ---- addresses, of REQ and SIDR_REQ

  /** Writes IPv4 or IPv6 addresses, followed by the private data. */
  Mad setData(CmAddress source, CmAddress destination, byte[] data) {
    int at = message.privateDataAt();
    IpAddresses.IP_VERSION.put(bytes, at, source.family() == CmAddress.INET ? IPV4 : IPV6);
    IpAddresses.PORT.put(bytes, at, source.port());
    putHost(IpAddresses.SOURCE, at, source);
    putHost(IpAddresses.DESTINATION, at, destination);
    bytes.put(at + IpAddresses.HEADER.bytes(), data);
    return this;
  }

  private void putHost(Field field, int at, CmAddress address) {
    Gid gid = address.gid();
    boolean isIpv4 = address.family() == CmAddress.INET;
    field.putHalves(bytes, at, gid.high(), isIpv4 ? gid.low() & 0xffff_ffffL : gid.low());
  }

  /** The client's private data after the addresses. */
  byte[] dataBehindAddresses() {
    return data(IpAddresses.HEADER.bytes());
  }

  /** The address of the sender; empty when the private data do not begin with addresses. */
  Optional<CmAddress> source() {
    int at = message.privateDataAt();
    return host(IpAddresses.SOURCE, IpAddresses.PORT.getInt(bytes, at));
  }

  /** The address of the receiver, with the port of a service. */
  Optional<CmAddress> destination(long service) {
    return host(IpAddresses.DESTINATION, (int) service & SERVICES_OF_PORT_SPACES);
  }

  private Optional<CmAddress> host(Field field, int port) {
    int at = message.privateDataAt();
    Gid gid = gid(field, at);
    if (IpAddresses.CMA_VERSION.getInt(bytes, at) != 0) {
      return Optional.empty();
    }
    boolean isIpv4 = IpAddresses.IP_VERSION.getInt(bytes, at) == IPV4;
    boolean fits =
        isIpv4
            ? gid.high() == 0 && gid.low() >>> 32 == 0
            : IpAddresses.IP_VERSION.getInt(bytes, at) == IPV6 && !gid.isIpv4();
    return fits
        ? Optional.of(CmAddress.of(isIpv4 ? Gid.ofIpv4((int) gid.low()) : gid, port))
        : Optional.empty();
  }

  /** The service of a port in a port space. */
  static long service(int space, int port) {
    return (long) space << CmAddressing.SPACE_SHIFT | port;
  }

  /** The port space of a service. */
  static int space(long service) {
    return (int) (service >>> CmAddressing.SPACE_SHIFT);
  }
}
