package dev.bluebell.hca;

/** A UAR page, mapped; its layout is {@link dev.bluebell.hca.doorbell.Uar}. */
public interface HcaUar extends AutoCloseable {

  /** Page index for the {@code uar_page} fields of contexts. */
  int number();

  /** Address in this process of the page's 4096 bytes; valid until {@link #close}. */
  long address();

  /** Gives the page back. Idempotent. */
  @Override
  void close() throws HcaException;
}
