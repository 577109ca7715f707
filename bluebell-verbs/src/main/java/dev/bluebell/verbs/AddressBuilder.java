package dev.bluebell.verbs;

/**
 * Describes the address that a queue pair or a target has on its device.
 *
 * @param <B> the builder itself
 */
public interface AddressBuilder<B extends AddressBuilder<B>> {
  /**
   * Sets the port. Default 1.
   *
   * @param number from 1
   */
  B port(int number);

  /**
   * Sets the entry of the port's GID table that is the address. Default: 0 on InfiniBand, the
   * port's own GID; on Ethernet that of IPv4 over RoCE v2, usually 3, or the first one of RoCE v2.
   *
   * @param index 0 … 255
   */
  B gidIndex(int index);

  /**
   * InfiniBand: sets which of the port's 2<sup>LMC</sup> LIDs is the address: the low bits of the
   * LID. The endpoint names it, and packets leave from it; but answers of a DC target leave from
   * the LID that the request went to. Default 0.
   *
   * @param bits 0 … 127, less than 2<sup>LMC</sup>, see {@link dev.bluebell.hca.HcaPort#lmc}
   */
  B pathBits(int bits);

  /**
   * Sets the entry of the port's partition key table. Default 0.
   *
   * @param index 0 … 65535
   */
  B pkeyIndex(int index);
}
