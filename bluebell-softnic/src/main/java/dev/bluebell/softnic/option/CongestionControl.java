package dev.bluebell.softnic.option;

/** What the device does when a peer notifies it of congestion. */
public enum CongestionControl {
  /** It counts the notification. */
  OFF,
  /** It lowers the rate of the queue pair, and raises it again: DCQCN. */
  DCQCN
}
