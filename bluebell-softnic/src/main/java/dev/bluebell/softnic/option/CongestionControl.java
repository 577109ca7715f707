package dev.bluebell.softnic.option;

/** The device's reaction when a peer notifies it of congestion. */
public enum CongestionControl {
  /** The device only counts the notification. */
  OFF,
  /** The device lowers the rate of the queue pair, and raises it again: DCQCN. */
  DCQCN
}
