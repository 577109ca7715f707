/** Where requests and responses travel. */
@NullMarked
package dev.bluebell.softnic.fabric;

import org.jspecify.annotations.NullMarked;
