/** The device's port: its addresses, and how address paths and address vectors name its peers. */
@NullMarked
package dev.bluebell.softnic.port;

import org.jspecify.annotations.NullMarked;
